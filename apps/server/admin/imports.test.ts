import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import {
  catalogueRows,
  importTexts,
  programme,
  promotion,
  recordsFile,
} from "@farthing/core/catalogue-imports/catalogue-files.testing.ts";
import { findImportRuns, withImportRun } from "@farthing/core/catalogue-imports/import-runs.server.ts";
import { seedNetworks } from "@farthing/core/catalogue-imports/seed-networks.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, describe, expect, test, vi } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));
const editor = await insertOperator(db, { role: "catalogue" });
await seedNetworks(db);
await importTexts(db, { programmes: recordsFile(programme(1)), promotions: recordsFile(promotion(11, 1)) });

/** Posts a file with the form's choices, as a browser does. */
async function read(content: string | Uint8Array<ArrayBuffer>, chosen: Record<string, string> = {}) {
  return await admin.upload(
    "/admin/imports",
    editor,
    { name: "file", fileName: "offers.json", content },
    { network: "awin", kind: "promotions", ...chosen },
  );
}
const confirm = (content: string, chosen: Record<string, string> = {}) =>
  admin.post("/admin/imports", editor, {
    ...{ network: "awin", kind: "promotions", confirmed: "yes", fileName: "offers.json" },
    content: Buffer.from(content).toString("base64"),
    ...chosen,
  });
const entries = () => db.selectFrom("audit_entries").selectAll().execute();

describe("A2 imports in the admin", () => {
  test("A2 a bad file is caught in its dry run, line by line, and changes nothing, even when it is confirmed", async () => {
    const before = await catalogueRows(db);
    const bad = recordsFile(promotion(12, 1), promotion(13, 99), promotion(14, 1, { endsAt: "2025-01-01T00:00:00Z" }));
    const refused = await read(bad);
    expect(refused.status).toBe(422);
    const html = await refused.text();
    expect(html).toContain("2 problems");
    expect(html).toMatch(/<td class="number">3<\/td><td class="id">13<\/td>[\s\S]*no programme 99 is known/);
    expect(html).toMatch(/<td class="number">4<\/td><td class="id">14<\/td>[\s\S]*is not after/);
    expect((await confirm(bad)).status).toBe(422);
    for (const content of ["", "not json", "[]", new Uint8Array([0xff])])
      expect((await read(content)).status).toBe(422);
    expect((await read(bad, { network: "none" })).status).toBe(422);
    const unreadable = await (await read(new Uint8Array([0xff]), { network: "cj", kind: "programmes" })).text();
    for (const chosen of ["cj", "programmes"]) expect(unreadable).toContain(`<option value="${chosen}" selected="">`);
    expect(await catalogueRows(db)).toEqual(before);
    expect(await entries()).toEqual([]);
  });

  test("A2 a good file says what it makes and changes, is applied when it is confirmed, and once", async () => {
    const before = await catalogueRows(db);
    const file = recordsFile(promotion(11, 1, { title: "A <new> title" }), promotion(12, 1));
    const looked = await (await read(file)).text();
    expect(looked).toContain("it makes 1 and changes 1");
    expect(looked).toMatch(/A &lt;new&gt; title<\/td><td>changed/);
    expect(await catalogueRows(db)).toEqual(before);
    const done = await confirm(file);
    expect(done.headers.get("location")).toBe("/admin/imports?done");
    const after = await catalogueRows(db);
    expect(after["offers"]).toHaveLength(2);
    expect(await entries()).toMatchObject([
      {
        action: "catalogue-import.apply",
        before: null,
        after: { source_name: "offers.json", rows_created: 1, rows_updated: 1 },
      },
    ]);
    expect(await (await admin.get("/admin/imports", editor)).text()).toContain("offers.json");
    const indexed = await db.selectFrom("search_offers").select("offer_id").execute();
    expect(indexed, "no brand shows the retailer, so that nothing is found").toEqual([]);

    expect(await (await read(file)).text()).toContain("It changes nothing");
    await confirm(file);
    expect(await catalogueRows(db)).toEqual(after);
    expect(await entries()).toHaveLength(1);
  });

  test("A2 a whole list names the offers that it lacks before it withdraws them, and is applied as it was shown", async () => {
    const all = Array.from({ length: 8 }, (_, at) => promotion(100 + at, 1, { title: `Dropped ${at}` }));
    await importTexts(db, { promotions: recordsFile(promotion(90, 1, { title: "Kept by the file" }), ...all) });
    const before = await catalogueRows(db);
    const states = async () =>
      Object.fromEntries(
        (await db.selectFrom("offers").select(["title", "status"]).execute()).map(({ title, status }) => [
          title,
          status,
        ]),
      );
    const one = recordsFile(promotion(90, 1, { title: "Kept by the file" }), ...all.slice(1));
    expect(await (await read(one)).text()).not.toContain("Dropped 0");
    const many = recordsFile(promotion(90, 1, { title: "Kept by the file" }));
    const looked = await (await read(many, { full: "yes" })).text();
    expect(looked).toMatch(/list, (<!-- -->)?10(<!-- -->)? of the network’s (<!-- -->)?11(<!-- -->)? live offers/);
    expect(looked).toMatch(/<a href="\/admin\/offers\/[\w-]+">Dropped 0<\/a>/);
    for (const typed of ["", "9", "11", "all"]) {
      const refused = await confirm(many, { full: "yes", withdraw: typed });
      expect(refused.status, typed).toBe(422);
      expect(await refused.text()).toContain("Type 10");
    }
    expect(await catalogueRows(db)).toEqual(before);
    const done = await confirm(many, { full: "yes", withdraw: "10" });
    expect(done.headers.get("location")).toBe("/admin/imports?done");
    expect(await states()).toMatchObject({ "Kept by the file": "live", "Dropped 0": "withdrawn" });
    expect((await entries()).at(-1)).toMatchObject({
      action: "catalogue-import.apply",
      after: { rows_withdrawn: 10 },
    });
  });

  test("A2 the box of the whole list is refused with another kind than promotions, and what was chosen stays", async () => {
    const answer = await read(recordsFile(promotion(90, 1)), { full: "yes", kind: "programmes" });
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(html).toContain('<a href="#full">Only a file of promotions can be a whole list');
    expect(html).toMatch(/<input[^>]*id="full"[^>]*aria-invalid="true"[^>]*>/);
    expect(html).toMatch(/<input[^>]*id="full"[^>]*checked=""[^>]*>/);
    expect(html).toMatch(/<option value="programmes" selected="">/);
    expect(html).not.toContain("What offers.json would do");
  });

  test("A2 an import under way is listed with how far it is, and an editor stops it; who only sees can't", async () => {
    const stopped = withImportRun(db, { source: "large.json", by: "command: catalogue:import" }, async (run) => {
      for (;;) {
        run.progress({ source: "large.json", stage: "reading", rows: 12_500 });
        await new Promise(setImmediate);
      }
    });
    const page = async (who = editor) => await (await admin.get("/admin/imports", who)).text();
    await vi.waitUntil(async () => (await page()).includes("Reading: 12,500 records so far"), { timeout: 60_000 });
    expect(await page()).toContain("command: catalogue:import");
    const [run] = await findImportRuns(db);
    const reader = await insertOperator(db, { role: "support" });
    expect((await admin.post(`/admin/imports?stop=${run!.id}`, reader, {})).status).toBe(403);
    expect((await findImportRuns(db))[0]?.isStopped).toBe(false);
    const answer = await admin.post(`/admin/imports?stop=${run!.id}`, editor, {});
    expect(answer.headers.get("location")).toBe("/admin/imports?stopped");
    expect(await stopped).toEqual({ outcome: "stopped", by: editor.email });
    expect(await page()).not.toContain("large.json");
    expect((await entries()).at(-1)).toMatchObject({
      action: "import-run.stop",
      before: { source_name: "large.json", stopped_by: null },
      after: { stopped_by: editor.email },
    });
    const late = await admin.post(`/admin/imports?stop=${run!.id}`, editor, {});
    expect(late.headers.get("location"), "it has ended already").toBe("/admin/imports");
    for (const id of ["no-uuid", ""])
      expect((await admin.post(`/admin/imports?stop=${id}`, editor, {})).status, id).toBe(303);
  });
});
