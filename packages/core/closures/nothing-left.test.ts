import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { expect, test } from "vitest";
import { joinTransaction } from "../audit/join-transaction.server.ts";
import { makeClick, reportedSale, type ClubForTests } from "../cashback/cashback.testing.ts";
import { recordReportedTransaction } from "../cashback/operations.server.ts";
import { findMemberBalances } from "../ledger/balances.server.ts";
import { endAccess } from "../members/end-access.server.ts";
import { makeBatch } from "../payouts/batch.server.ts";
import { confirmBatch } from "../payouts/confirm.server.ts";
import { applyFailures } from "../payouts/failures.server.ts";
import { requestPayout } from "../payouts/operations.server.ts";
import {
  account,
  bankKeys,
  earn,
  faultsOf,
  giveDetails,
  makeApprovedBatch,
  makePayingClub,
  method,
  MONDAY,
  payeeKeys,
  takeBack,
  WEDNESDAY,
} from "../payouts/payouts.testing.ts";
import { advanceClosures, payClosure } from "./close-member.server.ts";
import { requestClosure } from "./operations.server.ts";
import { closureDays, daysAfter } from "./rules.ts";

// A last payout of which shops leave nothing (M5, C4).

const { db } = await testDatabase();
const parts = { method, bankKeys, payeeKeys, by: "an operator", now: MONDAY };
let clubs = 0;

/** A member who leaves, and whose £6.00 wait to be paid out; `before` happens first. */
async function leaving(before: (club: ClubForTests) => Promise<unknown> = async () => {}) {
  const club = await makePayingClub(db, { networkSlug: `nothing-left-${(clubs += 1)}` });
  const done = await before(club);
  const purchase = await earn(db, club);
  const { brandId, memberId } = club;
  const choices = { pendingChoice: "wait", payableChoice: "pay-out" } as const;
  const asked = daysAfter(MONDAY, -closureDays.cancel);
  await requestClosure(db, { brandId, memberId, ...choices, payee: account, keys: payeeKeys, now: asked });
  await advance();
  expect((await closureOf(club)).state).toBe("awaiting_payout");
  return { club, purchase, done };
}

const advance = (now = MONDAY) => advanceClosures(db, { now });
const closureOf = ({ memberId }: ClubForTests) =>
  db.selectFrom("closures").selectAll().where("member_id", "=", memberId).executeTakeFirstOrThrow();
const payableOf = async ({ memberId }: ClubForTests) => (await findMemberBalances(db, { memberId })).member_payable;
const lastMailOf = ({ memberId }: ClubForTests) =>
  db
    .selectFrom("mails")
    .select(["kind", "data"])
    .where("member_id", "=", memberId)
    .orderBy("id", "desc")
    .executeTakeFirst();
const closed = { state: "closed", payee: null, paid_pence: null, given_up_pence: 0 };
const isRight = async () => expect(await faultsOf(db)).toEqual([]);

test("M5 C4 an account whose last payout a shop takes back closes by itself, once, and its last mail says why nothing was paid", async () => {
  const { club, purchase } = await leaving();
  await takeBack(db, club, purchase);
  expect(await payableOf(club)).toBe(0);
  const { public_id: publicId } = await closureOf(club);
  const byHand = { publicId, amountPence: 0, accountEnding: () => "4958", by: "an operator", now: MONDAY };
  expect(await payClosure(db, byHand)).toEqual({ outcome: "nothing-payable" });
  expect((await Promise.all([advance(), advance()])).toSorted()).toEqual([0, 1]);
  expect(await advance()).toBe(0);
  expect(await closureOf(club)).toMatchObject(closed);
  expect(await lastMailOf(club)).toMatchObject({
    kind: "closure-done",
    data: { paidPence: 0, givenUpPence: 0, wasTakenBack: true },
  });
  await isRight();
});

test("M5 C4 a balance below zero stays in the books of the account that closes, and nobody is asked for it", async () => {
  const { club, purchase, done } = await leaving(async (one) => {
    const first = await earn(db, one);
    await giveDetails(db, one);
    const asked = { brandId: one.brandId, memberId: one.memberId, sessionId: null, by: "an operator", now: MONDAY };
    expect(await requestPayout(db, asked)).toMatchObject({ outcome: "requested" });
    const { batchNumber } = await makeApprovedBatch(db, parts);
    await confirmBatch(db, { batchNumber: batchNumber ?? 0, bankKeys, by: "an operator", now: WEDNESDAY });
    return first;
  });
  for (const one of [purchase, done as typeof purchase]) await takeBack(db, club, one);
  expect(await payableOf(club)).toBe(-600);
  expect(await advance()).toBe(1);
  expect(await closureOf(club)).toMatchObject(closed);
  expect(await payableOf(club)).toBe(-600);
  await isRight();
});

test("M5 an account whose last payout is at the bank stays open although nothing is payable, and closes once the bank has sent it back", async () => {
  const { club, purchase } = await leaving();
  await makeApprovedBatch(db, parts);
  await takeBack(db, club, purchase);
  expect(await payableOf(club)).toBe(-600);
  expect(await advance()).toBe(0);
  const { bank_reference: reference, amount_pence: amountPence } = await db
    .selectFrom("payouts")
    .selectAll()
    .where("member_id", "=", club.memberId)
    .executeTakeFirstOrThrow();
  const failure = { reference, amountPence, reason: "account_closed", said: "B ACCOUNT CLOSED" } as const;
  expect(await applyFailures(db, { failures: [failure], now: WEDNESDAY })).toMatchObject([{ outcome: "failed" }]);
  expect((await closureOf(club)).state).toBe("awaiting_payout");
  expect(await advance(WEDNESDAY)).toBe(1);
  expect(await closureOf(club)).toMatchObject(closed);
  await isRight();
});

test("M5 what shops have still to decide is waited for, if that was chosen, also when the rest was taken back", async () => {
  const { club, purchase } = await leaving();
  const pending = reportedSale(club, await makeClick(db, club));
  await recordReportedTransaction(db, { networkId: club.networkId, reported: pending, now: MONDAY });
  await takeBack(db, club, purchase);
  expect(await advance()).toBe(0);
  expect((await closureOf(club)).state).toBe("awaiting_payout");
  await takeBack(db, club, pending);
  expect(await advance()).toBe(1);
  expect(await closureOf(club)).toMatchObject(closed);
});

test("M5 C6 a batch that is made while an account is about to close keeps it open for its payout", async () => {
  const { club, purchase } = await leaving();
  await takeBack(db, club, purchase);
  const one = await db.startTransaction().execute();
  await earn(joinTransaction(one), club);
  expect(await makeBatch(joinTransaction(one), parts)).toMatchObject({ payouts: 1, totalPence: 600 });
  const closing = advance();
  await untilWaiting(db);
  await one.commit().execute();
  expect(await closing).toBe(0);
  expect((await closureOf(club)).state).toBe("awaiting_payout");
  await isRight();
});

test("M5 C6 an account that closes while a batch is made is in no batch", async () => {
  const { club, purchase } = await leaving();
  await takeBack(db, club, purchase);
  const one = await db.startTransaction().execute();
  expect(await advanceClosures(joinTransaction(one), { now: MONDAY })).toBe(1);
  const batch = makeBatch(db, parts);
  await untilWaiting(db);
  await one.commit().execute();
  expect(await batch).toMatchObject({ batchNumber: null, payouts: 0 });
  expect(await closureOf(club)).toMatchObject(closed);
  await isRight();
});

test("M5 an act of recovery does not ask for a bank account when nothing is payable", async () => {
  const { club, purchase } = await leaving();
  await takeBack(db, club, purchase);
  const { brandId, memberId } = club;
  await db.transaction().execute((trx) => endAccess(trx, "reset-password", { brandId, memberId, now: MONDAY }));
  expect((await closureOf(club)).payee).toBeNull();
  expect((await lastMailOf(club))?.kind).toBe("closure-requested");
});
