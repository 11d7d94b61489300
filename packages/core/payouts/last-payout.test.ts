import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { expect, test } from "vitest";
import { joinTransaction } from "../audit/join-transaction.server.ts";
import type { ClubForTests } from "../cashback/cashback.testing.ts";
import { advanceClosures, payClosure, settleLateCashback } from "../closures/close-member.server.ts";
import { requestClosure } from "../closures/operations.server.ts";
import { closureDays, daysAfter } from "../closures/rules.ts";
import { findMemberBalances } from "../ledger/balances.server.ts";
import { mailContent } from "../mails/mail.ts";
import { suspendMember } from "../members/suspension.server.ts";
import { approveBatch } from "./approve.server.ts";
import { makeBatch } from "./batch.server.ts";
import { confirmBatch } from "./confirm.server.ts";
import { applyFailures } from "./failures.server.ts";
import { liftHold, listHolds, placeHold } from "./holds.server.ts";
import { requestPayout } from "./operations.server.ts";
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
} from "./payouts.testing.ts";

// The last payout of a member who leaves (C6, M5).

const { db } = await testDatabase();
let clubs = 0;
const parts = { method, bankKeys, payeeKeys, by: "an operator", now: MONDAY };
const batchNow = () => makeApprovedBatch(db, parts);
const confirm = (batchNumber: number | null) =>
  confirmBatch(db, { batchNumber: batchNumber ?? 0, bankKeys, by: "an operator", now: WEDNESDAY });

/** A member who leaves, and whose £6.00 wait to be paid out. */
async function leaving() {
  const club = await makePayingClub(db, { networkSlug: `leaving-${(clubs += 1)}` });
  await earn(db, club);
  const { brandId, memberId } = club;
  const choices = { pendingChoice: "wait", payableChoice: "pay-out" } as const;
  const asked = daysAfter(MONDAY, -closureDays.cancel);
  await requestClosure(db, { brandId, memberId, ...choices, payee: account, keys: payeeKeys, now: asked });
  await advanceClosures(db, { now: MONDAY });
  return club;
}

const closureOf = ({ memberId }: ClubForTests) =>
  db.selectFrom("closures").selectAll().where("member_id", "=", memberId).executeTakeFirstOrThrow();
const payoutsOf = ({ memberId }: ClubForTests) =>
  db.selectFrom("payouts").selectAll().where("member_id", "=", memberId).orderBy("id").execute();
const balancesOf = async ({ memberId }: ClubForTests) => {
  const { member_payable, member_in_transit, member_paid } = await findMemberBalances(db, { memberId });
  return { payable: member_payable, inTransit: member_in_transit, paid: member_paid };
};
const mailsOf = async ({ memberId }: ClubForTests) =>
  (await db.selectFrom("mails").select("kind").where("member_id", "=", memberId).orderBy("id").execute()).map(
    ({ kind }) => kind,
  );
/** The words of the newest mail of a kind to a member. */
async function wordsOf({ memberId }: ClubForTests, kind: string) {
  const mail = await db
    .selectFrom("mails")
    .select("data")
    .where("member_id", "=", memberId)
    .where("kind", "=", kind)
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  return wordsIn(kind, mail.data);
}
const wordsIn = (kind: string, mail: unknown) =>
  JSON.stringify(mailContent(kind, mail, { name: "The Club", strapline: "", supportEmail: "help@club.example" }));

/** The bank sends back what a payout has paid. */
async function sendBack(club: ClubForTests) {
  const [payout] = await payoutsOf(club);
  const { bank_reference: reference = "", amount_pence: amountPence = 0 } = payout ?? {};
  const failure = { reference, amountPence, reason: "account_closed", said: "B ACCOUNT CLOSED" } as const;
  return applyFailures(db, { failures: [failure], now: WEDNESDAY });
}

test("C6 M5 the last payout of a member on hold is in no batch until an operator lifts the hold", async () => {
  const club = await leaving();
  const { member_number: memberNumber } = await db
    .selectFrom("members")
    .select("member_number")
    .where("id", "=", club.memberId)
    .executeTakeFirstOrThrow();
  await placeHold(db, { memberNumber, reason: "a stolen card", by: "an operator", now: MONDAY });
  expect(await batchNow()).toMatchObject({
    batchNumber: null,
    payouts: 0,
    skipped: [{ memberNumber, because: "On hold: a stolen card" }],
  });
  expect(await payoutsOf(club)).toEqual([]);
  expect(await balancesOf(club)).toEqual({ payable: 600, inTransit: 0, paid: 0 });
  const held = (await listHolds(db)).find((one) => one.memberNumber === memberNumber);
  await liftHold(db, { publicId: held?.publicId ?? "", by: "an operator", now: MONDAY });
  expect(await batchNow()).toMatchObject({ payouts: 1, totalPence: 600, skipped: [] });
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 M5 a transfer by hand to a member on hold is not recorded until an operator lifts the hold", async () => {
  const club = await leaving();
  const { member_number: memberNumber } = await db
    .selectFrom("members")
    .select("member_number")
    .where("id", "=", club.memberId)
    .executeTakeFirstOrThrow();
  await placeHold(db, { memberNumber, reason: "a stolen card", by: "an operator", now: MONDAY });
  const holdId = (await listHolds(db)).find((one) => one.memberNumber === memberNumber)?.publicId ?? "";
  const { public_id: publicId } = await closureOf(club);
  const byHand = { publicId, amountPence: 600, accountEnding: () => "4958", by: "an operator", now: MONDAY };
  expect(await payClosure(db, byHand)).toEqual({
    outcome: "on-hold",
    hold: { publicId: holdId, reason: "a stolen card" },
  });
  expect(await balancesOf(club)).toEqual({ payable: 600, inTransit: 0, paid: 0 });
  expect((await closureOf(club)).state).toBe("awaiting_payout");
  await liftHold(db, { publicId: holdId, by: "an operator", now: MONDAY });
  expect(await payClosure(db, byHand)).toMatchObject({ outcome: "paid", paidPence: 600, isClosed: true });
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 M5 a payment that comes back after the account is closed stays its owner's, whatever else goes to the club", async () => {
  const club = await leaving();
  await confirm((await batchNow()).batchNumber);
  expect((await closureOf(club)).state).toBe("closed");
  expect(await sendBack(club)).toMatchObject([{ outcome: "returned" }]);
  await settleLateCashback(db, { now: WEDNESDAY });
  expect(await balancesOf(club)).toEqual({ payable: 600, inTransit: 0, paid: 0 });
  await earn(db, club, { pounds: 50 });
  await settleLateCashback(db, { now: WEDNESDAY });
  expect(await closureOf(club)).toMatchObject({ state: "closed", given_up_pence: 300 });
  expect((await balancesOf(club)).payable).toBe(600);
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 M5 a last payout that is in a batch can't be paid by hand too, although the same amount has arrived since", async () => {
  const club = await leaving();
  const { batchNumber } = await batchNow();
  await earn(db, club);
  expect(await balancesOf(club)).toEqual({ payable: 600, inTransit: 600, paid: 0 });
  const { public_id: publicId } = await closureOf(club);
  const byHand = { publicId, amountPence: 600, accountEnding: () => "4958", by: "an operator", now: MONDAY };
  expect(await payClosure(db, byHand)).toEqual({ outcome: "in-batch" });
  expect((await closureOf(club)).state).toBe("awaiting_payout");
  await confirm(batchNumber);
  expect(await payClosure(db, byHand), "what has arrived since").toMatchObject({
    outcome: "paid",
    paidPence: 600,
    isClosed: true,
  });
  expect(await closureOf(club), "both count as paid").toMatchObject({ state: "closed", paid_pence: 1200 });
  expect(await balancesOf(club)).toEqual({ payable: 0, inTransit: 0, paid: 1200 });
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 M5 a last payout that comes back while more is due goes to another account, and is counted once", async () => {
  const club = await leaving();
  const { batchNumber } = await batchNow();
  await earn(db, club);
  await confirm(batchNumber);
  expect(await closureOf(club), "the new cashback is due").toMatchObject({ state: "awaiting_payout", paid_pence: 600 });
  expect(await sendBack(club)).toMatchObject([{ outcome: "returned" }]);
  const asked = await mailsOf(club);
  expect(asked.filter((kind) => kind === "closure-bank-details")).toHaveLength(1);
  expect(asked).not.toContain("payout-failed");
  const words = await wordsOf(club, "closure-bank-details");
  expect(words).toContain("We could not pay you £6.00. The account is closed. Give us another one.");
  expect(words).toContain("£12.00");
  expect(words).not.toContain("Since then");
  expect(await closureOf(club)).toMatchObject({ payee: null, paid_pence: null });
  expect((await balancesOf(club)).payable).toBe(1200);
  // The next batch can't pay to the account that sent it back.
  expect((await batchNow()).payouts).toBe(0);
});

test("C6 M5 a mail that asks for an account where no payment failed says so of no payment, and not that money has come in", () => {
  const words = wordsIn("closure-bank-details", { payablePence: 600 });
  expect(words).toContain("£6.00 is yours");
  expect(words).not.toMatch(/Since then|could not pay/);
});

test("C6 M5 a shop takes money back before the last payout's batch is approved: no mail about a withdrawal, and the next batch pays the rest", async () => {
  const club = await leaving();
  const reported = await earn(db, club, { pounds: 50 });
  const { batchNumber } = await makeBatch(db, parts);
  await takeBack(db, club, reported);
  const approval = { batchNumber: batchNumber ?? 0, by: "an operator", aloneBecause: "alone today", now: MONDAY };
  await approveBatch(db, approval);
  expect(await payoutsOf(club)).toMatchObject([{ state: "failed", reason: "balance_fell", amount_pence: 900 }]);
  expect(await mailsOf(club)).not.toContain("payout-failed");
  expect(await batchNow()).toMatchObject({ payouts: 1, totalPence: 600 });
  expect(await faultsOf(db)).toEqual([]);
});

test.each([["before a batch is made"], ["before the batch is approved"]])(
  "C6 M5 a member who asked for a payout and then to leave is not told to withdraw again what a shop left, %s",
  async (when) => {
    const club = await makePayingClub(db, { networkSlug: `leaving-${(clubs += 1)}` });
    await earn(db, club);
    const reported = await earn(db, club, { pounds: 50 });
    await giveDetails(db, club);
    const { brandId, memberId } = club;
    await requestPayout(db, { brandId, memberId, sessionId: null, now: MONDAY });
    const choices = { pendingChoice: "wait", payableChoice: "pay-out" } as const;
    await requestClosure(db, { brandId, memberId, ...choices, payee: null, keys: payeeKeys, now: MONDAY });
    if (when === "before a batch is made") {
      await takeBack(db, club, reported);
      await makeBatch(db, parts);
    } else {
      const { batchNumber } = await makeBatch(db, parts);
      await takeBack(db, club, reported);
      await approveBatch(db, { batchNumber: batchNumber ?? 0, by: "another", aloneBecause: null, now: MONDAY });
    }
    expect(await payoutsOf(club)).toMatchObject([{ state: "failed", reason: "balance_fell" }]);
    const words = await wordsOf(club, "payout-failed");
    expect(words).toContain("Part of the money was taken back");
    expect(words).toContain("What is left of it is in your balance");
    expect(words).not.toMatch(/Withdraw it again|to withdraw/);
    expect(words).toContain("/profile/privacy/close");
  },
);

test("C6 S1 a member who leaves and is suspended keeps the account for the last payout, and is paid", async () => {
  const club = await leaving();
  const { brandId, memberId } = club;
  expect(await suspendMember(db, { brandId, memberId, now: MONDAY })).toBe(true);
  const { batchNumber, payouts } = await batchNow();
  expect(payouts).toBe(1);
  expect(await mailsOf(club), "nobody could follow its link").not.toContain("closure-bank-details");
  await confirm(batchNumber);
  expect(await closureOf(club)).toMatchObject({ state: "closed", paid_pence: 600 });
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 M5 a last payout that one batch has taken is in no second one that is made at once, whatever has arrived since", async () => {
  const club = await leaving();
  const one = await db.startTransaction().execute();
  expect(await makeBatch(joinTransaction(one), parts)).toMatchObject({ payouts: 1, totalPence: 600 });
  const other = makeBatch(db, parts).catch(String);
  await untilWaiting(db);
  await earn(joinTransaction(one), club);
  await one.commit().execute();
  expect(await other, "it looks after the first is made").toMatchObject({ batchNumber: null, payouts: 0, skipped: [] });
  expect(await balancesOf(club)).toEqual({ payable: 600, inTransit: 600, paid: 0 });
  expect(await faultsOf(db)).toEqual([]);
});
