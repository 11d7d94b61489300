import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { findPastState } from "@farthing/core/audit/queries.server.ts";
import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { findProofKindRecord } from "@farthing/core/verification-requests/proof-kind-records.server.ts";
import { seedProofs } from "@farthing/core/verification-requests/seed-proofs.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();
const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));

const owner = await insertOperator(db, { role: "owner" });
const other = await insertOperator(db, { role: "owner" });
const catalogue = await insertOperator(db, { role: "catalogue" });
await seedMemberTypes(db);
await seedProofs(db);

const list = "/admin/proof-kinds";
const add = `${list}/new`;
const path = `${list}/union_card`;
const typed = {
  ...{ name: "Union card", help: "The card of your union.", shows: "Your name\r\nThe union’s name" },
  ...{ hides: "The number may be covered.", drawing: "card", position: "50" },
};
const html = async (of: string, operator = owner) => (await admin.get(of, operator)).text();
const record = (slug = "union_card") => findProofKindRecord(db, { slug });
const version = async (slug = "union_card") => String((await record(slug))?.version);
const entries = () =>
  db.selectFrom("audit_entries").selectAll().where("subject_type", "=", "proof-kind").orderBy("seq").execute();
const rowOf = (page: string, slug: string) =>
  page.split("<tr").find((row) => row.includes(`href="/admin/proof-kinds/${slug}"`)) ?? "";

describe("A2 M4 proof kinds in the admin", () => {
  test("A2 the list says which member types ask for each, which are general, and how many were sent; catalogue sees it", async () => {
    const page = await html(list, catalogue);
    const payslip = rowOf(page, "payslip");
    expect(payslip).toContain("general");
    for (const type of ["education", "nhs", "police"]) expect(payslip).toContain(`/admin/member-types/${type}#`);
    expect(payslip).not.toContain("/admin/member-types/student#");
    expect(rowOf(page, "student_card")).toMatch(/\/admin\/member-types\/student#.*>0</);
    expect(page).not.toContain("New proof kind");
    expect(rowOf(await html(`${list}?q=payslip`), "student_card")).toBe("");
    expect((await admin.get(list, await insertOperator(db, { role: "support" }))).status).toBe(403);
  });

  test("A2 an owner adds a kind under a short name of its own; faults are named, and what was typed stays; catalogue can't", async () => {
    expect((await admin.post(add, catalogue, { slug: "union_card", ...typed })).status).toBe(403);
    const refused = await admin.post(add, owner, { slug: "Union card", ...typed, shows: "" });
    expect(refused.status).toBe(422);
    const page = await refused.text();
    for (const words of ["lower-case letters", "at least one thing", "The card of your union.", 'value="Union card"'])
      expect(page).toContain(words);
    const added = await admin.post(add, owner, { slug: "union_card", ...typed });
    expect([added.status, added.headers.get("location")]).toEqual([303, `${path}?saved`]);
    expect(await (await admin.post(add, owner, { slug: "union_card", ...typed })).text()).toContain(
      "Another kind has this short name",
    );
    expect(await record()).toMatchObject({ shows: ["Your name", "The union’s name"], isGeneral: false, position: 50 });
    expect(await entries()).toMatchObject([
      {
        action: "proof-kind.create",
        subject_id: "union_card",
        actor: owner.email,
        before: null,
        after: { name: "Union card" },
      },
    ]);
  });

  test("A1 A2 every field is changed, and the log rebuilds what it was", async () => {
    const changed = {
      ...{ name: "Union membership", help: "", shows: "Your name", hides: "", drawing: "letter", position: "3" },
      isGeneral: "yes",
    };
    const before = await entries();
    expect((await admin.post(path, owner, { ...changed, version: await version() })).status).toBe(303);
    expect(await record()).toMatchObject({
      ...{ name: "Union membership", help: "", shows: ["Your name"], hides: "", drawing: "letter", position: 3 },
      isGeneral: true,
    });
    const entry = (await entries()).at(-1);
    expect(entry).toMatchObject({
      action: "proof-kind.change",
      before: { name: "Union card", shows: ["Your name", "The union’s name"], drawing: "card", is_general: false },
      after: { name: "Union membership", shows: ["Your name"], drawing: "letter", is_general: true, position: 3 },
    });
    expect(await findPastState(db, { type: "proof-kind", id: "union_card", at: before[0]!.at })).toMatchObject({
      known: true,
    });
    const unchanged = await admin.post(path, owner, { ...changed, version: await version() });
    expect([unchanged.status, (await entries()).length]).toEqual([303, before.length + 1]);
    expect(await html(path)).toContain("/admin/audit/proof-kind/union_card");
    const history = await html("/admin/audit/proof-kind/union_card");
    for (const words of ["Union membership", "History of proof kind union_card"]) expect(history).toContain(words);
    expect(await html("/admin/audit?subject=union_card")).toContain('<span class="id">union_card</span>');
    expect((await admin.post(path, catalogue, { ...changed, version: await version() })).status).toBe(403);
  });

  test("A2 a stale save shows both and who saved, and “Save mine” saves it", async () => {
    const opened = await version();
    const theirs = { ...typed, name: "Card of the union", isGeneral: "yes" };
    expect((await admin.post(path, other, { ...theirs, version: opened })).status).toBe(303);
    const stale = await admin.post(path, owner, { ...typed, version: opened });
    expect(stale.status).toBe(409);
    const page = await stale.text();
    for (const words of [other.email, "Card of the union", "Union card", "Save mine"]) expect(page).toContain(words);
    expect((await record())?.name).toBe("Card of the union");
    const form = page.split("<form").find((each) => each.includes("Save mine")) ?? "";
    const now = /name="version" value="(\d+)"/.exec(form)?.[1] ?? "";
    expect((await admin.post(path, owner, { ...typed, version: now })).status).toBe(303);
    expect((await record())?.name).toBe("Union card");
  });

  test("A2 a kind in no list is removed after a question with a reason; the log keeps its words", async () => {
    const asked = await admin.post(path, owner, { act: "remove" });
    expect([asked.status, (await asked.text()).includes("Remove Union card?")]).toEqual([200, true]);
    const without = await admin.post(path, owner, { act: "remove", confirmed: "yes", why: " " });
    expect(without.status).toBe(422);
    const remove = { act: "remove", confirmed: "yes", why: "nobody has one" };
    expect((await admin.post(path, catalogue, remove)).status).toBe(403);
    expect(await record()).not.toBeNull();
    const removed = await admin.post(path, owner, remove);
    expect([removed.status, removed.headers.get("location")]).toEqual([303, `${list}?done`]);
    expect(await record()).toBeNull();
    expect((await entries()).at(-1)).toMatchObject({
      ...{ action: "proof-kind.remove", why: "nobody has one", before: { name: "Union card" }, after: null },
    });
    for (const gone of [await admin.get(path, owner), await admin.post(path, owner, remove)])
      expect(gone.status).toBe(404);
  });

  test("A2 a kind that is used stays: its page says where, and has no button", async () => {
    const page = await html(`${list}/pension_letter`);
    expect(page).toContain("Where it is used");
    expect(page).toContain("/admin/member-types/education#title-proofs");
    expect(page).not.toContain("Remove …");
    const before = await entries();
    const posted = await admin.post(`${list}/pension_letter`, owner, { act: "remove", confirmed: "yes", why: "now" });
    expect([posted.status, (await posted.text()).includes("It is used, so it stays")]).toEqual([409, true]);
    expect(await record("pension_letter")).not.toBeNull();
    expect(await entries()).toEqual(before);
  });

  test("A2 M4 the last general kind stays general: the page says why at the box", async () => {
    await db.updateTable("proof_kinds").set({ is_general: false }).where("slug", "<>", "payslip").execute();
    const { name, help, shows, hides, drawing, position } = (await record("payslip"))!;
    const form = { name, help, shows: shows.join("\n"), hides, drawing, position: String(position) };
    const refused = await admin.post(`${list}/payslip`, owner, { ...form, version: await version("payslip") });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toMatch(/id="isGeneral-fault"[^>]*>It is the last general kind/);
    expect((await record("payslip"))?.isGeneral).toBe(true);
  });
});
