import { insertOperator } from "@farthing/admin/testing/admin.testing.ts";
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
  expect(none, "support may not see the ledger").not.toContain("Not about a member?");
  const ways = await (await admin.get(unknown, finance)).text();
  expect(ways).toContain('href="/admin/ledger?q=0000-0000-0000"');
  expect(ways).toContain('href="/admin/payments?q=0000-0000-0000"');
});
