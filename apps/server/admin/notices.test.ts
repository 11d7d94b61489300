import { noticeWords } from "@farthing/core/notices/rules.ts";
import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { toLondon } from "@farthing/core/catalogue/london-time.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, expect, test } from "vitest";

const { db, pool } = await testDatabase();
loadAdmin();
const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));
const catalogue = await insertOperator(db, { role: "catalogue" });
const support = await insertOperator(db, { role: "support" });
await insertBrand(db, { slug: "one" });

const typed = {
  brand: "",
  kind: "planned",
  title: "We move",
  text: "For an hour.",
  since: "2026-07-01T22:00",
  until: "2026-07-01T23:00",
};
const notices = () => db.selectFrom("notices").selectAll().orderBy("since").execute();
const entries = (action: string) =>
  db.selectFrom("audit_entries").selectAll().where("action", "=", action).orderBy("seq").execute();

test("P6 A1 an operator writes a notice in London's time, every process is told, and the log has it", async () => {
  const listener = await pool.connect();
  const told = new Promise((resolve) => listener.once("notification", ({ channel }) => resolve(channel)));
  await listener.query("listen site_content");
  const answer = await admin.post("/admin/notices/new", catalogue, typed);
  expect(answer.headers.get("location")).toBe("/admin/notices?done");
  expect(await told).toBe("site_content");
  await listener.query("unlisten *");
  listener.release();
  expect(await notices()).toMatchObject([
    {
      brand_id: null,
      kind: "planned",
      since: new Date("2026-07-01T21:00:00Z"),
      until: new Date("2026-07-01T22:00:00Z"),
    },
  ]);
  expect(await entries("notice.create")).toMatchObject([
    { actor: catalogue.email, after: { title: "We move", brand: null } },
  ]);
  const list = await (await admin.get("/admin/notices", catalogue)).text();
  for (const words of ["We move", "Planned work", "every brand’s visitors", "1 Jul 2026, 22:00"])
    expect(list).toContain(words);
});

test.each([
  [{ title: "" }, "Use 1 to 80 characters."],
  [{ until: "2026-07-01T21:59" }, "It must end after it begins."],
  [{ since: "tomorrow" }, "Give a date and time of London"],
  [{ brand: "none" }, "Choose a brand of the list."],
])("P6 S2 %j is refused in words, and nothing is saved", async (wrong, words) => {
  const answer = await admin.post("/admin/notices/new", catalogue, { ...typed, ...wrong });
  expect(answer.status).toBe(422);
  expect(await answer.text()).toContain(words);
  expect(await notices()).toHaveLength(1);
});

test("P6 A1 a stale save shows both texts; a notice goes after a question with a reason; support may only look", async () => {
  const [{ id, version } = { id: "", version: 0 }] = await notices();
  const path = `/admin/notices/${id}`;
  expect(await (await admin.get(path, catalogue)).text()).toContain(
    `value="${toLondon(new Date("2026-07-01T21:00:00Z")).slice(0, 16)}"`,
  );
  const save = (title: string) => admin.post(path, catalogue, { ...typed, title, version: String(version) });
  expect((await save("Theirs")).headers.get("location")).toBe(`${path}?saved`);
  const stale = await save("Mine");
  expect(stale.status).toBe(409);
  const html = await stale.text();
  for (const label of ["Who sees it", "What it is", "Title", "Text", "Since", "Until"])
    expect(html).toContain(`<th scope="row">${label}</th>`);
  for (const words of [catalogue.email, "Theirs", "Mine"]) expect(html).toContain(words);
  // As the form says them, not as they are stored.
  for (const value of ["Every brand’s visitors", noticeWords.planned, "2026-07-01 22:00"])
    expect(html).toContain(`<td>${value}</td>`);
  for (const asked of [path, "/admin/notices/new"]) {
    expect([200, 403]).toContain((await admin.get(asked, support)).status);
    expect((await admin.post(asked, support, { ...typed, act: "remove", confirmed: "yes", why: "x" })).status).toBe(
      403,
    );
  }
  expect(await (await admin.post(path, catalogue, { act: "remove" })).text()).toContain("Remove this notice?");
  expect(await notices()).toHaveLength(1);
  await admin.post(path, catalogue, { act: "remove", confirmed: "yes", why: "it is over" });
  expect(await notices()).toEqual([]);
  expect(await entries("notice.remove")).toMatchObject([{ why: "it is over", before: { title: "Theirs" } }]);
  expect((await admin.get(path, catalogue)).status).toBe(404);
});
