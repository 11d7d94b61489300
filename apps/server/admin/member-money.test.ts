import { insertOperator } from "@farthing/admin/testing/admin.testing.ts";
import { makeClick, reportedSale } from "@farthing/core/cashback/cashback.testing.ts";
import { recordReportedTransaction } from "@farthing/core/cashback/operations.server.ts";
import { applyFailures } from "@farthing/core/payouts/failures.server.ts";
import {
  bankKeys,
  makeApprovedBatch,
  method,
  MONDAY,
  payeeKeys,
  WEDNESDAY,
} from "@farthing/core/payouts/payouts.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { openPayoutAdmin } from "./payouts.testing.ts";

const { db } = await testDatabase();
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, "").replaceAll("&#x27;", "’");
const { admin, finance, asking } = await openPayoutAdmin(db);

test("A3 a member's timeline says when cashback became payable, and codes of ours in words", async () => {
  const { memberId, reference } = await asking();
  await makeApprovedBatch(db, { method, bankKeys, payeeKeys, by: "op", now: MONDAY });
  const failure = { reference, amountPence: 600, reason: "payee_deceased", said: "2" } as const;
  await applyFailures(db, { failures: [failure], now: WEDNESDAY });
  const support = await insertOperator(db, { role: "support", now: MONDAY });
  const path = `/admin/members/${memberId}`;
  await admin.post(path, support, { act: "suspend", confirmed: "yes", why: "chargebacks" });
  await admin.post(path, support, { note: "called us" });
  const page = await (await admin.get(path, support)).text();
  expect(page).toContain("cashback became payable");
  expect(page).toContain("payee deceased");
  expect(page).toContain(`suspended by ${support.email}`);
  expect(page).toContain(`note by ${support.email}`);
  expect(page).not.toContain("member.note");
  expect(page).not.toContain("payee_deceased");
});

test("A3 C3 support and finance see when a member expects the next step of a purchase, whether it is late, and why it was declined", async () => {
  const club = await asking();
  const reported = reportedSale(club, await makeClick(db, club));
  const report = (changes: Partial<typeof reported>) =>
    recordReportedTransaction(db, {
      networkId: club.networkId,
      reported: { ...reported, ...changes, observedAt: MONDAY },
      now: MONDAY,
    });
  await report({});
  const { id, click_id } = await db
    .selectFrom("cashback_entries")
    .select(["id", "click_id"])
    .where("member_id", "=", club.memberId)
    .where("state", "=", "tracked")
    .executeTakeFirstOrThrow();
  const expected = { expected_from: new Date("2026-12-31T23:30:00Z"), expected_to: new Date("2027-06-30T23:30:00Z") };
  const watch = db.updateTable("cashback_watches").where("entry_id", "=", id);
  await watch.set(expected).execute();
  const support = await insertOperator(db, { role: "support", now: MONDAY });
  const timeline = async () => textOf(await (await admin.get(`/admin/members/${club.memberId}`, support)).text());
  const trace = async () => textOf(await (await admin.get(`/admin/ledger/clicks/${click_id}`, finance)).text());
  expect(await timeline()).toContain("confirmation expected 31 Dec 2026 to 1 Jul 2027");
  expect(await timeline()).not.toContain("1 Jul 2027, late");
  expect(await trace()).toContain("The member expects the confirmation from 31 Dec 2026 to 1 Jul 2027.");
  await watch.set({ overdue_since: MONDAY }).execute();
  expect(await timeline()).toContain("1 Jul 2027, late");
  expect(await trace()).toContain("late since 23 Nov 2026");
  await report({ status: "declined", reason: "returned", modifiedAt: new Date(MONDAY.getTime() + 1) });
  expect(await timeline()).not.toContain("confirmation expected");
  expect(await trace()).toContain("The member reads: “The retailer told us the order was returned or refunded.”");
});

test("A3 members are found by a click's number and reference and a payout's bank reference; what is no member's leads on", async () => {
  const { memberId, memberNumber, reference } = await asking();
  const click = await db
    .selectFrom("clicks")
    .select(["click_number", "reference"])
    .where("member_id", "=", memberId)
    .executeTakeFirstOrThrow();
  const support = await insertOperator(db, { role: "support", now: MONDAY });
  const bare = click.click_number.replaceAll("-", "").toLowerCase();
  for (const q of [
    ...[click.click_number, ` ${click.click_number.toLowerCase()} `, bare, click.reference],
    ...[reference, reference.toLowerCase().replaceAll(/(.{4})/g, "$1 ")],
  ]) {
    const found = await (await admin.get(`/admin/members?q=${encodeURIComponent(q)}`, support)).text();
    expect(found, q).toContain(memberNumber);
  }
  const unknown = "/admin/members?q=0000-0000-0000";
  const none = await (await admin.get(unknown, support)).text();
  expect(none).not.toContain(memberNumber);
  expect(none, "support may not see the ledger").not.toContain('href="/admin/ledger');
  expect(none).toContain('href="/admin/networks/held?q=0000-0000-0000"');
  const ways = await (await admin.get(unknown, finance)).text();
  expect(ways).toContain('href="/admin/ledger?q=0000-0000-0000"');
  expect(ways).toContain('href="/admin/payments?q=0000-0000-0000"');
});
