import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { findTicket, startActing } from "@farthing/core/account-access/acting.server.ts";
import { answerAccess } from "@farthing/core/account-access/request-access.server.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertMember } from "@farthing/core/testing/insert-member.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));

const brand = await insertBrand(db, { isDefault: true });
const entries = () => db.selectFrom("audit_entries").selectAll().orderBy("seq").execute();
let seen = 0;
beforeEach(async () => void (seen = (await entries()).length));
const written = async () => (await entries()).slice(seen);
const REASON = "Your claims look wrong; I would like to see them.";

/** A member, and the page where an operator asks. */
async function someone() {
  const { id: memberId } = await insertMember(db, { brandId: brand.id, name: "Rosa Quill" });
  return { memberId, page: `/admin/members/${memberId}/access` };
}
const requestOf = async (memberId: string) =>
  await db.selectFrom("account_access_requests").selectAll().where("member_id", "=", memberId).executeTakeFirst();

/** The same, after an operator has asked and the member said yes. */
async function allowed() {
  const scene = await someone();
  const operator = await insertOperator(db, { role: "support", name: "Ada" });
  expect((await admin.post(scene.page, operator, { act: "ask", reason: REASON })).status).toBe(303);
  const publicId = (await requestOf(scene.memberId))?.public_id ?? "";
  await answerAccess(db, { publicId, brandId: brand.id, memberId: scene.memberId, answer: "yes", now: NOW });
  return { ...scene, operator, publicId };
}

describe("A3 asking to act as a member, in the admin", () => {
  test("A3 the question takes a reason, is in the log and starts nothing", async () => {
    const { page, memberId } = await someone();
    const operator = await insertOperator(db, { role: "support", name: "Ada" });
    const short = await admin.post(page, operator, { act: "ask", reason: "  look  " });
    expect(short.status).toBe(422);
    expect(await short.text()).toContain("Say in a sentence");
    expect(await requestOf(memberId)).toBeUndefined();

    const asked = await admin.post(page, operator, { act: "ask", reason: REASON });
    expect([asked.status, asked.headers.get("Location")]).toEqual([303, `${page}?done=asked`]);
    const request = await requestOf(memberId);
    expect(request).toMatchObject({ state: "asked", reason: REASON, operator_name: "Ada", session_hash: null });
    const [entry, ...more] = await written();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      action: "account-access.ask",
      actor: operator.email,
      subject_type: "account-access",
      subject_id: request?.public_id,
      before: null,
      after: { state: "asked", member_id: memberId },
    });
    // Entries outlive accounts: neither the reason, which may name somebody, nor a name.
    expect(JSON.stringify(entry)).not.toMatch(/claims look wrong|Rosa/);
    const text = await (await admin.get(page, operator)).text();
    expect(text).toContain("waits for the member");
    expect(text).not.toContain("Get the link to start");
    const link = await admin.post(page, operator, { act: "link", request: request?.public_id ?? "" });
    expect(link.status, "before the yes").toBe(409);
  });

  test("A3 a colleague sees who has asked, and can neither ask beside it nor use the yes", async () => {
    const { page, publicId } = await allowed();
    const colleague = await insertOperator(db, { role: "owner", name: "Grace" });
    const text = await (await admin.get(page, colleague)).text();
    expect(text).toContain("Ada asked");
    expect(text).not.toContain("Get the link to start");
    for (const [form, status, says] of [
      [{ act: "ask", reason: REASON }, 409, "Ada has asked already"],
      [{ act: "link", request: publicId }, 404, "not a request of yours"],
      [{ act: "end", request: publicId }, 404, "not a request of yours"],
    ] as const) {
      const answer = await admin.post(page, colleague, form);
      expect([answer.status, (await answer.text()).includes(says)], says).toEqual([status, true]);
    }
    expect((await requestOf(page.split("/")[3] ?? ""))?.state).toBe("allowed");
  });

  test("A3 after the yes the page shows a link to the member's brand, once, and the log has no secret", async () => {
    const { page, operator, publicId } = await allowed();
    const shown = await admin.post(page, operator, { act: "link", request: publicId });
    expect(shown.status).toBe(200);
    const [, host, ticket = ""] = /href="http:\/\/([^/]+)\/acting\?ticket=([\w-]+)"/.exec(await shown.text()) ?? [];
    expect(host).toBe(brand.mainHost);
    const found = await findTicket(db, { brandId: brand.id, ticket, now: NOW });
    expect(found).toMatchObject({ publicId, memberName: "Rosa Quill", operator: { id: operator.id } });
    expect(JSON.stringify(await written())).not.toContain(ticket);
    expect((await written()).at(-1)).toMatchObject({ action: "account-access.link" });
    expect(await (await admin.get(page, operator)).text()).not.toContain(ticket);

    await startActing(db, { brandId: brand.id, ticket, now: NOW });
    expect(await (await admin.get(page, operator)).text()).toContain("Stop now");
    const ended = await admin.post(page, operator, { act: "end", request: publicId });
    expect(ended.headers.get("Location")).toBe(`${page}?done=ended`);
    expect((await written()).at(-1)).toMatchObject({ action: "account-access.stop", after: { ended_by: "operator" } });
    expect((await admin.post(page, operator, { act: "end", request: publicId })).status, "twice").toBe(409);
  });

  test("A3 the member's page leads there for whoever may ask, and the timeline has it", async () => {
    const { memberId, page, operator } = await allowed();
    const member = `/admin/members/${memberId}`;
    const text = await (await admin.get(member, operator)).text();
    expect(text).toContain(`href="${page}"`);
    expect(text).toContain("Ada asked to act as the member");
    const finance = await insertOperator(db, { role: "finance" });
    expect(await (await admin.get(member, finance)).text()).not.toContain("Act as this member");
    expect(await (await admin.get(page, finance)).text()).not.toContain("Ask the member");
  });

  test("A3 an operator whose role was changed a moment ago asks nothing", async () => {
    const { page, memberId } = await someone();
    const operator = await insertOperator(db, { role: "support" });
    await db.updateTable("operators").set({ role: "finance" }).where("id", "=", operator.id).execute();
    const refused = await admin.post(page, operator, { act: "ask", reason: REASON });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("This is not part of your role");
    expect(await requestOf(memberId)).toBeUndefined();
    expect(await written()).toEqual([]);
  });
});
