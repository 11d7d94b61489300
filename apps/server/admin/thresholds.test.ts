import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { insertRetailer, NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { findNeeds } from "@farthing/core/needs/find-needs.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { findThresholds } from "@farthing/core/thresholds/threshold-values.server.ts";
import { thresholdKeys, thresholds } from "@farthing/core/thresholds/rules.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();
const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));

const owner = await insertOperator(db, { role: "owner" });
const other = await insertOperator(db, { role: "owner" });
const catalogue = await insertOperator(db, { role: "catalogue" });
const one = await insertBrand(db, { slug: "one" });
await insertBrand(db, { slug: "two" });

const path = "/admin/thresholds/code-failures";
const html = async (of: string, operator = owner) => (await admin.get(of, operator)).text();
const versionOf = (page: string) => /name="version" value="(\d+)"/.exec(page)?.[1] ?? "";
const save = async (form: Record<string, string>, operator = owner) =>
  admin.post(path, operator, { version: versionOf(await html(path)), ...form });
const entries = () =>
  db.selectFrom("audit_entries").selectAll().where("subject_type", "=", "threshold").orderBy("seq").execute();
const holds = async (brandId: string | null = null) => (await findThresholds(db, { brandId }))["code-failures"];

describe("A2 thresholds in the admin", () => {
  test("A2 one page has each with what it does, its value, default and range; catalogue sees it, others don't", async () => {
    const page = await html("/admin/thresholds", catalogue);
    for (const key of thresholdKeys) {
      expect(page).toContain(thresholds[key].does.slice(0, 60));
      expect(page).toContain(`/admin/thresholds/${key}`);
      expect((await admin.get(`/admin/thresholds/${key}`, catalogue)).status).toBe(200);
    }
    expect((await admin.get("/admin/thresholds", await insertOperator(db, { role: "support" }))).status).toBe(403);
    for (const unknown of ["no-such", "toString", "code-failures%20"]) {
      expect((await admin.get(`/admin/thresholds/${unknown}`, owner)).status).toBe(404);
      expect((await admin.post(`/admin/thresholds/${unknown}`, owner, { club: "3" })).status).toBe(404);
      expect((await admin.get(`/admin/thresholds/${unknown}/history`, owner)).status).toBe(404);
    }
  });

  test("A2 an owner sets it for the club and for a brand, with a reason, in the log; catalogue can't", async () => {
    expect((await admin.post(path, catalogue, { club: "4", version: "0" })).status).toBe(403);
    const saved = await save({ club: " 4 ", "brand-one": "2", "brand-two": "", why: "too many false alarms" });
    expect([saved.status, saved.headers.get("location")]).toEqual([303, `${path}?saved`]);
    expect([await holds(), await holds(one.id)]).toEqual([4, 2]);
    expect(await entries()).toMatchObject([
      {
        ...{
          action: "threshold.change",
          subject_id: "code-failures",
          actor: owner.email,
          why: "too many false alarms",
        },
        ...{ before: null, after: { club_value: 4, brand_values: { one: 2 } } },
      },
    ]);
    expect(await html(`${path}?saved`)).toContain("It holds now");
    expect(await html("/admin/thresholds")).toContain("one: 2");
    const same = await save({ club: "4", "brand-one": "2" });
    expect(same.status).toBe(409);
    expect(await entries()).toHaveLength(1);
  });

  test.each([
    [{ club: "0" }, "1 to 100"],
    [{ club: "2.5" }, "1 to 100"],
    [{ club: "3", "brand-two": "many" }, 'href="#brand-two"'],
    [{ club: "3", why: "x".repeat(501) }, "500 characters"],
  ])("A2 %j is refused in words, and nothing that was typed is lost", async (form, words) => {
    const answer = await save(form);
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(page).toContain(words);
    for (const typed of Object.values(form)) expect(page).toContain(`value="${typed}"`);
    expect(await holds()).toBe(4);
  });

  test("A2 a save that comes too late says who changed what, and loses neither", async () => {
    const version = versionOf(await html(path));
    await save({ club: "6" }, other);
    const stale = await admin.post(path, owner, { club: "7", version });
    expect(stale.status).toBe(409);
    const page = await stale.text();
    for (const words of [other.email, "<td>6</td>", "<td>7</td>"]) expect(page).toContain(words);
    expect(await holds()).toBe(6);
    expect((await admin.post(path, owner, { club: "7" })).status, "without a version").toBe(409);
    await save({ club: "7" });
    expect(await holds()).toBe(7);
  });

  test("A2 the default is one press away, and each change can be undone, with a reason", async () => {
    await save({ act: "default", club: "99" });
    expect([await holds(), await holds(one.id)]).toEqual([3, 3]);
    const history = await html(`${path}/history`);
    expect(history).toContain("too many false alarms");
    const [first, second] = await entries();
    const undo = (seq: number | undefined, form = {}) =>
      admin.post(`${path}/history`, owner, { undo: String(seq), ...form });
    expect(await (await undo(second?.seq)).text()).toContain("Undo this change?");
    expect((await undo(second?.seq, { confirmed: "yes", why: "" })).status).toBe(422);
    expect((await undo(second?.seq, { confirmed: "yes", why: "it was better" })).status).toBe(303);
    expect([await holds(), await holds(one.id)]).toEqual([4, 2]);
    expect((await undo(first?.seq, { confirmed: "yes", why: "as at the start" })).status).toBe(303);
    expect([await holds(), await holds(one.id)]).toEqual([3, 3]);
    expect((await entries()).slice(-2).map(({ action }) => action)).toEqual(["threshold.undo", "threshold.undo"]);
  });

  test("A2 A3 the share below which tracking is falling is the same on home and in the list of retailers", async () => {
    const { id: retailer_id } = await insertRetailer(db, { name: "Half Tracked" });
    await db
      .insertInto("retailer_scorecards")
      .values({ retailer_id, purchases: 100, tracked_in_time: 60, decided: 0, declined: 0, worked_out_at: NOW })
      .execute();
    const isListed = async () =>
      (await findNeeds(db, { role: "owner", now: NOW })).find(({ key }) => key === "tracking")?.count === 1;
    const tone = async () =>
      /data-tone="(\w+)">60 %/.exec((await html("/admin/retailers")).replaceAll("<!-- -->", ""))?.[1];
    expect([await isListed(), await tone()]).toEqual([true, "bad"]);
    const share = "/admin/thresholds/tracking-percent";
    await admin.post(share, owner, { version: versionOf(await html(share)), club: "60" });
    expect([await isListed(), await tone()]).toEqual([false, "good"]);
  });

  test("A2 a row that can't be used breaks no page: it is named, and a save puts it right", async () => {
    await db.deleteFrom("thresholds").execute();
    const rows = [
      { threshold_key: "code-failures", club_value: 900, brand_values: JSON.stringify({ one: "x", gone: 2 }) },
      { threshold_key: "no-such", club_value: 1, brand_values: "{}" },
    ];
    await db
      .insertInto("thresholds")
      .values(rows.map((row) => ({ ...row, updated_at: NOW })))
      .execute();
    for (const each of ["/admin/thresholds", path, "/admin", "/admin/networks", "/admin/background-work"])
      expect((await admin.get(each, owner)).status, each).toBe(200);
    const page = await html("/admin/thresholds");
    for (const words of ["900", "no-such", "gone"]) expect(page).toContain(words);
    expect((await save({ club: "5" })).status).toBe(303);
    expect(await holds(one.id)).toBe(5);
    expect(await html(path)).not.toContain("can’t be used");
  });
});
