import { randomBytes } from "node:crypto";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { afterEach, beforeAll, expect, test } from "vitest";
import { findBalance } from "../ledger/balances.server.ts";
import { checkLedger } from "../ledger/check.server.ts";
import { checkDisputes, checkPayments } from "../payments/check.server.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { checkGiftCards } from "./check.server.ts";
import { findLines } from "./queries.server.ts";
import { resolveLine } from "./resolve-line.server.ts";
import { openShop } from "./shop.testing.ts";

// Gift-card orders whose payment is disputed, or refunded beside us (G4).

const { db } = await testDatabase();
const keys = ["a key of tests that is long enough"] as const;
const HOUR_MS = 3_600_000;
const shop = await openShop(db, keys);
let brandId = "";
beforeAll(async () => {
  ({ id: brandId } = await insertBrand(db));
});
afterEach(async () => {
  const faults = [
    ...(await checkLedger(db)).faults,
    ...(await checkPayments(db)),
    ...(await checkDisputes(db)),
    ...(await checkGiftCards(db)),
  ];
  expect(faults).toEqual([]);
});

const stateOf = async (publicId: string) => {
  const [line] = await findLines(db, { publicId });
  return [line?.state, line?.reason, line?.cardState];
};
const wait = (hours: number) => void (shop.clock.at += hours * HOUR_MS);
const mailsOf = async (order: string) => {
  const { rows } = await sql<{ kind: string; data: { lines: { isChargedBack?: boolean }[] } }>`
    select kind, data from mails where data->>'order' = ${order} order by id`.execute(db);
  return rows;
};
const payable = (memberId: string) => findBalance(db, { account: { kind: "member_payable", memberId } });
const losses = () => findBalance(db, { account: { kind: "club_dispute_losses" } });

test("G4 a dispute holds a line that is not decided; lost, it ends without a card and without a refund", async () => {
  const before = await losses();
  const bought = await shop.buy([["fixed", 2500]]);
  const [line = ""] = bought.lines;
  await bought.pay();
  await bought.dispute("needs_response");
  await shop.work();
  expect(await stateOf(line)).toEqual(["held", "disputed", "none"]);
  // The clock stands still while the bank decides, and nobody can release the line.
  wait(200);
  await shop.work();
  expect(await stateOf(line)).toEqual(["held", "disputed", "none"]);
  const decided = await resolveLine(db, { publicId: line, decision: "issue", by: "op", now: shop.now() });
  expect(decided).toMatchObject({ outcome: "not-now", state: "held" });
  await bought.dispute("lost");
  await shop.work();
  expect(await stateOf(line)).toEqual(["charged_back", "disputed", "none"]);
  expect(bought.refundedPence()).toBe(0);
  // The payment was never spent on a card, so that nobody has lost anything.
  expect(await losses()).toBe(before);
  const mails = await mailsOf(bought.order);
  expect(mails.map(({ kind }) => kind)).toEqual(["gift-card-receipt"]);
  expect(mails[0]?.data.lines).toMatchObject([{ isChargedBack: true }]);
});

test("G4 a refund that waits for a dispute is sent once when the dispute is won", async () => {
  const bought = await shop.buy([["fixed", 2500]]);
  const [line = ""] = bought.lines;
  await bought.pay();
  await bought.dispute("inquiry");
  await shop.work();
  await resolveLine(db, { publicId: line, decision: "refund", by: "op", now: shop.now() });
  await shop.work();
  expect(await stateOf(line)).toEqual(["refunding", "suspected-fraud", "none"]);
  expect(bought.refundedPence()).toBe(0);
  await bought.dispute("closed");
  await shop.work();
  expect(await stateOf(line)).toEqual(["refunded", "suspected-fraud", "none"]);
  expect(bought.refundedPence()).toBe(2382);
});

test("G4 a charged-back line whose bank gives the money back is refunded, because its buyer has no card", async () => {
  const bought = await shop.buy([["fixed", 2500]]);
  const [line = ""] = bought.lines;
  await bought.pay();
  await bought.dispute("lost");
  await shop.work();
  expect((await stateOf(line))[0]).toBe("charged_back");
  await bought.dispute("won");
  await shop.work();
  expect((await stateOf(line))[0]).toBe("refunded");
  expect(bought.refundedPence()).toBe(2382);
});

test("G4 a charged-back line whose card is still chased is refunded once the bank gives the money back, and the chase goes on", async () => {
  shop.issuer.pendingMs = 40 * HOUR_MS;
  const bought = await shop.buy([["fixed", 2500]]);
  const [line = ""] = bought.lines;
  await bought.pay();
  await shop.work();
  shop.issuer.pendingMs = 0;
  await bought.dispute("needs_response");
  await shop.work();
  wait(25);
  await shop.work();
  await bought.dispute("lost");
  await shop.work();
  expect(await stateOf(line)).toEqual(["charged_back", "disputed", "possible"]);
  await bought.dispute("won");
  await shop.work();
  expect(await stateOf(line)).toEqual(["refunded", "disputed", "possible"]);
  expect(bought.refundedPence()).toBe(2382);
  wait(20);
  await shop.work();
  expect(await stateOf(line)).toEqual(["refunded", "disputed", "reversed"]);
  expect(bought.refundedPence()).toBe(2382);
  expect(shop.issuer.live(`gc-${line}`)).toBe(0);
});

/** A member of long standing buys a card that earns cashback. */
async function buyForCashback() {
  const { id } = await insertVerifiedMember(db, { brandId });
  await sql`update members set created_at = '2026-01-01T00:00:00Z' where id = ${id}`.execute(db);
  await sql`update gift_card_products set reward_kind = 'cashback' where issuer_product_id = 'other'`.execute(db);
  return { id, bought: await shop.buy([["other", 1000]], { member: { id, brandId } }) };
}

test("G4 C3 a lost dispute takes the cashback of an issued card back and notes the loss; won after all, it returns", async () => {
  const before = await losses();
  const { id, bought } = await buyForCashback();
  const [line = ""] = bought.lines;
  await bought.pay();
  await shop.work();
  wait(49);
  await shop.work();
  const cashback = await payable(id);
  expect(cashback).toBeGreaterThan(0);
  const isLost = async () => {
    const { lost_to_dispute_at } = await db
      .selectFrom("gift_card_lines")
      .select("lost_to_dispute_at")
      .where("public_id", "=", line)
      .executeTakeFirstOrThrow();
    return lost_to_dispute_at !== null;
  };
  await bought.dispute("lost");
  await shop.work();
  expect(await stateOf(line)).toEqual(["issued", null, "issued"]);
  expect([await payable(id), await isLost(), (await losses()) - before]).toEqual([0, true, -1000]);
  await bought.dispute("won");
  await shop.work();
  expect([await payable(id), await isLost(), (await losses()) - before]).toEqual([cashback, false, 0]);
});

test("G4 C3 a lost dispute that the bank opens again gives no cashback back before it is decided", async () => {
  const { id, bought } = await buyForCashback();
  await bought.pay();
  await shop.work();
  wait(49);
  await shop.work();
  const cashback = await payable(id);
  expect(cashback).toBeGreaterThan(0);
  await bought.dispute("lost");
  await shop.work();
  expect(await payable(id)).toBe(0);
  for (const undecided of ["under_review", "needs_response"] as const) {
    await bought.dispute(undecided);
    wait(49);
    await shop.work();
    expect(await payable(id), undecided).toBe(0);
  }
  await bought.dispute("won");
  await shop.work();
  expect(await payable(id)).toBe(cashback);
});

test("G4 cashback is not payable while its payment is disputed", async () => {
  const { id, bought } = await buyForCashback();
  await bought.pay();
  await shop.work();
  await bought.dispute("under_review");
  wait(100);
  await shop.work();
  expect(await payable(id)).toBe(0);
  await bought.dispute("won");
  await shop.work();
  expect(await payable(id)).toBeGreaterThan(0);
});

test("G4 the further orders of a buyer who disputes are held, and those of others are not", async () => {
  const buyerMark = randomBytes(32);
  const first = await shop.buy([["fixed", 1000]], { buyerMark });
  await first.pay();
  await shop.work();
  await first.dispute("inquiry");
  const [mine, other] = [await shop.buy([["fixed", 1000]], { buyerMark }), await shop.buy([["fixed", 1000]])];
  for (const bought of [mine, other]) await bought.pay();
  await shop.work();
  expect(await stateOf(mine.lines[0] ?? "")).toEqual(["held", "disputed-before", "none"]);
  expect((await stateOf(other.lines[0] ?? ""))[0]).toBe("issued");
  // Once the bank has dropped it, the buyer is like any other.
  await first.dispute("closed");
  const later = await shop.buy([["fixed", 1000]], { buyerMark });
  await later.pay();
  await shop.work();
  expect((await stateOf(later.lines[0] ?? ""))[0]).toBe("issued");
});

test("G4 a card that is on its way when the dispute comes is taken back", async () => {
  shop.issuer.pendingMs = 5 * HOUR_MS;
  const bought = await shop.buy([["fixed", 2500]]);
  const [line = ""] = bought.lines;
  await bought.pay();
  await shop.work();
  expect(await stateOf(line)).toEqual(["issuing", null, "possible"]);
  await bought.dispute("needs_response");
  await shop.work();
  wait(6);
  await shop.work();
  shop.issuer.pendingMs = 0;
  expect((await stateOf(line)).slice(0, 2)).toEqual(["refunding", "disputed"]);
  expect(shop.issuer.live(`gc-${line}`)).toBe(0);
  await bought.dispute("lost");
  await shop.work();
  expect((await stateOf(line))[0]).toBe("charged_back");
  expect(bought.refundedPence()).toBe(0);
});

test("G4 a refund in the dashboard stops a line that is not made, and names itself", async () => {
  shop.issuer.floatPence = 0;
  const bought = await shop.buy([["fixed", 2500]]);
  const [line = ""] = bought.lines;
  await bought.pay();
  await shop.work();
  await bought.refundElsewhere(2382);
  shop.issuer.floatPence = 10_000_000;
  await shop.work();
  expect((await stateOf(line))[1]).toBe("refunded-elsewhere");
  expect(shop.issuer.live(`gc-${line}`)).toBe(0);
  const { rows } = await sql<{ made: string; pence: number }>`
    select refund.made_by as made, refund.amount_pence as pence from payment_refunds refund
      join gift_card_orders orders on orders.payment_id = refund.payment_id
    where orders.public_id = ${bought.order}`.execute(db);
  expect(rows).toEqual([{ made: "provider", pence: 2382 }]);
  // The operator records what they see at the provider.
  wait(1);
  await shop.work();
  const resolved = await resolveLine(db, { publicId: line, decision: "refunded", by: "op", now: shop.now() });
  expect(resolved).toMatchObject({ outcome: "resolved" });
});

test.each([
  { isReversible: true, ends: ["charged_back", "disputed", "reversed"], isNoted: false },
  { isReversible: false, ends: ["issued", null, "issued"], isNoted: true },
])("G4 a dispute that is lost while the issuer makes the card is seen: %j", async ({ isReversible, ends, isNoted }) => {
  const { issuer } = shop.issuer;
  const { issue } = issuer;
  const bought = await shop.buy([["fixed", 2500]]);
  const [line = ""] = bought.lines;
  shop.issuer.tooLate = !isReversible;
  issuer.issue = async (card) => {
    const answer = await issue(card);
    issuer.issue = issue;
    await bought.dispute("lost");
    return answer;
  };
  try {
    await bought.pay();
    await shop.work();
  } finally {
    Object.assign(issuer, { issue });
    shop.issuer.tooLate = false;
  }
  const { lost_to_dispute_at: lostAt } = await db
    .selectFrom("gift_card_lines")
    .select("lost_to_dispute_at")
    .where("public_id", "=", line)
    .executeTakeFirstOrThrow();
  expect([await stateOf(line), lostAt !== null]).toEqual([ends, isNoted]);
  expect(bought.refundedPence()).toBe(0);
});
