import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { makeClick, reportedSale, type ClubForTests } from "../cashback/cashback.testing.ts";
import { recordReportedTransaction } from "../cashback/operations.server.ts";
import { checkGiftCards } from "../gift-cards/check.server.ts";
import { openShop } from "../gift-cards/shop.testing.ts";
import { findMemberBalances } from "../ledger/balances.server.ts";
import { confirmBatch } from "../payouts/confirm.server.ts";
import { applyFailures } from "../payouts/failures.server.ts";
import {
  account,
  bankKeys,
  earn,
  faultsOf,
  makeApprovedBatch,
  makePayingClub,
  method,
  MONDAY,
  payeeKeys,
  takeBack,
  WEDNESDAY,
} from "../payouts/payouts.testing.ts";
import { advanceClosures, payClosure, settleLateCashback } from "./close-member.server.ts";
import { requestClosure } from "./operations.server.ts";
import { closureDays, daysAfter } from "./rules.ts";

// Money that becomes payable after its member has left (M5, C4, G4).

const { db } = await testDatabase();
const shop = await openShop(db, ["a key of tests that is long enough"]);
let clubs = 0;

beforeAll(async () => {
  await sql`update gift_card_products set reward_kind = 'cashback', reward_bp = 500 where issuer_product_id = 'fixed'`.execute(
    db,
  );
});

/** A member who asked to leave a week ago, with a card of £25.00 whose cashback, £1.25, is not payable yet. */
async function leaving(payableChoice: "pay-out" | "give-up") {
  const club = await makePayingClub(db, { networkSlug: `late-${(clubs += 1)}` });
  const { brandId, memberId } = club;
  shop.clock.at = MONDAY.getTime();
  const bought = await shop.buy([["fixed", 2500]], { member: { id: memberId, brandId } });
  await bought.pay();
  await shop.work();
  const purchase = await earn(db, club);
  expect(await balancesOf(club)).toEqual({ confirmed: 125, payable: 600, paid: 0 });
  const choices = { pendingChoice: "give-up", payableChoice } as const;
  const asked = daysAfter(MONDAY, -closureDays.cancel);
  await requestClosure(db, { brandId, memberId, ...choices, payee: account, keys: payeeKeys, now: asked });
  await advanceClosures(db, { now: MONDAY });
  return { club, purchase };
}

/** The time in which a card can be reversed passes. */
async function cardCashbackIsDue() {
  shop.clock.at = daysAfter(WEDNESDAY, 1).getTime();
  await shop.work();
}

const settle = () => settleLateCashback(db, { now: daysAfter(WEDNESDAY, 1) });
const closureOf = ({ memberId }: ClubForTests) =>
  db.selectFrom("closures").selectAll().where("member_id", "=", memberId).executeTakeFirstOrThrow();
const balancesOf = async ({ memberId }: ClubForTests) => {
  const { member_confirmed, member_payable, member_paid } = await findMemberBalances(db, { memberId });
  return { confirmed: member_confirmed, payable: member_payable, paid: member_paid };
};
const booksAreRight = async () => expect([...(await faultsOf(db)), ...(await checkGiftCards(db))]).toEqual([]);

test.each(["by a batch", "by hand"])(
  "M5 a last payout %s leaves the account open while a sale that was reported since waits for its shop",
  async (how) => {
    const club = await makePayingClub(db, { networkSlug: `late-${(clubs += 1)}` });
    const { brandId, memberId } = club;
    await earn(db, club);
    const choices = { pendingChoice: "wait", payableChoice: "pay-out" } as const;
    const asked = daysAfter(MONDAY, -closureDays.cancel);
    await requestClosure(db, { brandId, memberId, ...choices, payee: account, keys: payeeKeys, now: asked });
    await advanceClosures(db, { now: MONDAY });
    const sale = reportedSale(club, await makeClick(db, club));
    const report = (changes = {}) =>
      recordReportedTransaction(db, { networkId: club.networkId, reported: { ...sale, ...changes }, now: MONDAY });
    const operator = { by: "an operator", accountEnding: () => "9911" };
    const pay = async () => {
      const { public_id: publicId } = await closureOf(club);
      if (how === "by hand") return payClosure(db, { ...operator, publicId, amountPence: 600, now: WEDNESDAY });
      const { batchNumber } = await makeApprovedBatch(db, {
        method,
        bankKeys,
        payeeKeys,
        by: "an operator",
        now: MONDAY,
      });
      return confirmBatch(db, { batchNumber: batchNumber ?? 0, bankKeys, by: "an operator", now: WEDNESDAY });
    };
    await report();
    await pay();
    expect(await closureOf(club)).toMatchObject({ state: "awaiting_payout", paid_pence: 600 });
    await advanceClosures(db, { now: WEDNESDAY });
    expect((await closureOf(club)).state, "the shop has still to decide").toBe("awaiting_payout");
    const modifiedAt = new Date(sale.modifiedAt.getTime() + 60_000);
    await report({ status: "approved", paidToPublisher: true, modifiedAt, observedAt: modifiedAt });
    await pay();
    expect(await closureOf(club)).toMatchObject({ state: "closed", paid_pence: 1200, given_up_pence: 0 });
    await booksAreRight();
  },
);

test("M5 C4 cashback on a gift card that becomes payable after its member has left is given up, once", async () => {
  const { club } = await leaving("give-up");
  expect(await closureOf(club)).toMatchObject({ state: "closed", given_up_pence: 600 });
  expect(await settle(), "nothing is payable yet").toBe(0);
  await cardCashbackIsDue();
  expect(await balancesOf(club)).toEqual({ confirmed: 0, payable: 125, paid: 0 });
  expect((await Promise.all([settle(), settle()])).toSorted()).toEqual([0, 1]);
  expect(await settle()).toBe(0);
  expect(await balancesOf(club)).toEqual({ confirmed: 0, payable: 0, paid: 0 });
  expect((await closureOf(club)).given_up_pence).toBe(725);
  await earn(db, club);
  expect(await settle(), "cashback of a purchase that comes later").toBe(1);
  expect((await closureOf(club)).given_up_pence).toBe(1325);
  await booksAreRight();
});

test("M5 C4 a payment that came back after leaving stays its owner's when cashback on a gift card is given up", async () => {
  const { club } = await leaving("pay-out");
  const { batchNumber } = await makeApprovedBatch(db, { method, bankKeys, payeeKeys, by: "an operator", now: MONDAY });
  await confirmBatch(db, { batchNumber: batchNumber ?? 0, bankKeys, by: "an operator", now: WEDNESDAY });
  expect((await closureOf(club)).state).toBe("closed");
  const { bank_reference: reference, amount_pence: amountPence } = await db
    .selectFrom("payouts")
    .selectAll()
    .where("member_id", "=", club.memberId)
    .executeTakeFirstOrThrow();
  const failure = { reference, amountPence, reason: "account_closed", said: "B ACCOUNT CLOSED" } as const;
  await applyFailures(db, { failures: [failure], now: WEDNESDAY });
  expect(await settle()).toBe(0);
  await cardCashbackIsDue();
  expect(await settle()).toBe(1);
  expect(await settle()).toBe(0);
  expect(await balancesOf(club)).toEqual({ confirmed: 0, payable: 600, paid: 0 });
  expect((await closureOf(club)).given_up_pence).toBe(125);
  await booksAreRight();
});

test("M5 C4 cashback that comes after leaving is set against a purchase that was taken back, and the rest is given up", async () => {
  const { club, purchase } = await leaving("give-up");
  await takeBack(db, club, purchase);
  await cardCashbackIsDue();
  expect(await settle()).toBe(0);
  expect((await balancesOf(club)).payable).toBe(-475);
  await earn(db, club);
  expect(await settle()).toBe(1);
  expect((await balancesOf(club)).payable).toBe(0);
  expect((await closureOf(club)).given_up_pence).toBe(725);
  await booksAreRight();
});
