import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { openPayoutAdmin } from "./payouts.testing.ts";

const { db } = await testDatabase();
const { admin, finance, asking } = await openPayoutAdmin(db);

test("A1 C4 an operator finds a member's money from any number, and follows it from the click to the payout and back", async () => {
  const { publicId, memberNumber, reference, memberId } = await asking();
  const followed = async (q: string) =>
    (await admin.get(`/admin/ledger?q=${encodeURIComponent(q)}`, finance)).headers.get("location");
  expect(await followed(memberNumber)).toBe(`/admin/ledger/members/${memberId}`);
  expect(await followed(reference)).toBe(`/admin/payouts/${publicId}`);
  expect(await (await admin.get("/admin/ledger?q=nothing", finance)).text()).toContain("Nothing has this number");
  const click = await db
    .selectFrom("clicks")
    .select(["id", "click_number", "reference"])
    .where("member_id", "=", memberId)
    .executeTakeFirstOrThrow();
  for (const q of [click.click_number.toLowerCase(), click.reference, click.id])
    expect(await followed(q)).toBe(`/admin/ledger/clicks/${click.id}`);
  const trace = await (await admin.get(`/admin/ledger/clicks/${click.id}`, finance)).text();
  expect(trace).toContain(reference);
  const transfer = /\/admin\/ledger\/transfers\/([0-9a-f-]{36})/.exec(trace)?.[1] ?? "";
  const shown = await (await admin.get(`/admin/ledger/transfers/${transfer}`, finance)).text();
  expect(shown).toContain(`/admin/ledger/clicks/${click.id}`);
  const payout = await (await admin.get(`/admin/payouts/${publicId}`, finance)).text();
  expect(payout, "and back").toContain(`/admin/ledger/clicks/${click.id}`);
  const accounts = await (await admin.get(`/admin/ledger/members/${memberId}`, finance)).text();
  const [, own = ""] = /\/admin\/ledger\/accounts\/([0-9a-f-]{36})">In transit/.exec(accounts) ?? [];
  const entries = await (await admin.get(`/admin/ledger/accounts/${own}`, finance)).text();
  expect(entries).toContain("payout requested");
  const csv = await (await admin.get(`/admin/ledger/accounts/${own}/entries.csv`, finance)).text();
  expect(csv.trim().split("\r\n")).toHaveLength(2);
});

test("A1 C4 a check of the books keeps what it found, with who asked for it", async () => {
  const done = await admin.post("/admin/ledger/checks", finance, { act: "check" });
  expect(done.status).toBe(303);
  const page = await (await admin.get("/admin/ledger/checks", finance)).text();
  expect(page).toContain("The books balance");
  expect(page).toContain(finance.email);
  expect(await db.selectFrom("book_checks").select(["checked_by", "faults"]).execute()).toEqual([
    { checked_by: finance.email, faults: [] },
  ]);
});
