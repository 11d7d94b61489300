import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { findBalance } from "@farthing/core/ledger/balances.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertSignedInMember } from "@farthing/core/testing/insert-signed-in-member.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const admin = openTestAdmin(db, { goodwill: { dayPence: 10_000, memberPence: 1_000 } });
afterEach(() => expect(admin.errors).toEqual([]));

test("A1 C7 a member is credited with a reason within the limits, and the credit is taken back, each with an entry in the log", async () => {
  const finance = await insertOperator(db, { role: "finance" });
  const brand = await insertBrand(db);
  const { id } = await insertSignedInMember(db, { brandId: brand.id });
  const path = `/admin/members/${id}/goodwill`;
  const payable = () => findBalance(db, { account: { kind: "member_payable", memberId: id } });
  const entries = () => db.selectFrom("audit_entries").select(["action", "why", "after"]).orderBy("seq").execute();
  const give = (form: Record<string, string>) =>
    admin.post(path, finance, {
      act: "give",
      amount: "6",
      reason: "delay",
      reference: "T-1",
      note: "late answer",
      confirmed: "yes",
      ...form,
    });

  for (const wrong of [{ amount: "-1" }, { amount: "x" }, { reason: "" }, { reference: "a b" }, { note: "x" }])
    expect((await give(wrong)).status, JSON.stringify(wrong)).toBe(422);
  const asked = await (await give({ confirmed: "" })).text();
  expect(asked).toMatch(/Credit £6\.00 to [^<?]+\?/);
  expect(asked, "and posts it again").toContain('name="note" value="late answer"');
  expect(await entries()).toEqual([]);
  expect(await (await give({})).text()).toContain("£6.00 credited");
  expect(await payable()).toBe(600);
  expect((await give({})).status, "the same reference").toBe(409);
  const over = await give({ reference: "T-2" });
  expect(over.status).toBe(409);
  const overText = await over.text();
  expect(overText).toContain("£4.00 is left of the limit for this member");
  expect(overText, "nothing that was typed is lost").toContain("late answer");
  expect(await payable()).toBe(600);

  expect(await (await admin.post(path, finance, { act: "reverse", reference: "T-1" })).text()).toContain(
    "Take back £6.00?",
  );
  const reverse = (form: Record<string, string>) =>
    admin.post(path, finance, { act: "reverse", reference: "T-1", confirmed: "yes", why: "wrong member", ...form });
  expect((await reverse({ why: "" })).status).toBe(422);
  expect((await reverse({ reference: "T-9" })).status).toBe(404);
  expect(await (await reverse({})).text()).toContain("£6.00 taken back");
  expect((await reverse({})).status).toBe(409);
  expect(await payable()).toBe(0);
  expect(await entries()).toMatchObject([
    { action: "goodwill.give", why: "late answer", after: { state: "given", amount_pence: 600 } },
    { action: "goodwill.reverse", why: "wrong member", after: { state: "reversed" } },
  ]);
});

test("A1 C7 a credit of another member is not taken back from this one's page", async () => {
  const finance = await insertOperator(db, { role: "finance" });
  const brand = await insertBrand(db);
  const [one, other] = [
    await insertSignedInMember(db, { brandId: brand.id }),
    await insertSignedInMember(db, { brandId: brand.id }),
  ];
  const credit = { act: "give", amount: "1", reason: "delay", reference: "X-1", note: "late answer", confirmed: "yes" };
  await admin.post(`/admin/members/${one.id}/goodwill`, finance, credit);
  const answer = await admin.post(`/admin/members/${other.id}/goodwill`, finance, {
    ...{ act: "reverse", reference: "X-1", confirmed: "yes", why: "not theirs" },
  });
  expect(answer.status).toBe(404);
});
