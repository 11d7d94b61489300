import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterEach, describe, expect, test } from "vitest";
import { sealBankAccount } from "../bank-details/bank-seal.ts";
import type { ClubForTests } from "../cashback/cashback.testing.ts";
import { findMemberBalances } from "../ledger/balances.server.ts";
import { suspendMember } from "../members/suspension.server.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { batchFiles } from "./batch-files.server.ts";
import { confirmBatch } from "./confirm.server.ts";
import { applyFailures, stopPayout } from "./failures.server.ts";
import { liftHold, listHolds, placeHold } from "./holds.server.ts";
import { cancelPayout, requestPayout } from "./operations.server.ts";
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
  signIn,
  takeBack,
  WEDNESDAY,
} from "./payouts.testing.ts";
import { findBatch } from "./list-batches.server.ts";
import { findWithdrawalPanel, findWithdrawals, listBatches, listPayouts } from "./queries.server.ts";

const { db } = await testDatabase();
let clubs = 0;
const newClub = () => makePayingClub(db, { networkSlug: `network-${(clubs += 1)}` });
const parts = { method, bankKeys, payeeKeys, by: "an operator", now: MONDAY };
const batchNow = (now = MONDAY) => makeApprovedBatch(db, { ...parts, now });
const ask = (club: ClubForTests, sessionId: string | null = null) =>
  requestPayout(db, { brandId: club.brandId, memberId: club.memberId, sessionId, now: MONDAY });
const balancesOf = async ({ memberId }: ClubForTests) => {
  const { member_payable, member_in_transit, member_paid } = await findMemberBalances(db, { memberId });
  return { payable: member_payable, inTransit: member_in_transit, paid: member_paid };
};
const payoutsOf = ({ memberId }: ClubForTests) =>
  db
    .selectFrom("payouts")
    .selectAll()
    .where("member_id", "=", memberId)
    .orderBy("requested_at")
    .orderBy("id")
    .execute();
const mailsOf = async ({ memberId }: ClubForTests) =>
  (await db.selectFrom("mails").select("kind").where("member_id", "=", memberId).orderBy("id").execute()).map(
    ({ kind }) => kind,
  );
const confirm = (batchNumber: number | null, now = WEDNESDAY) =>
  confirmBatch(db, { batchNumber: batchNumber ?? 0, bankKeys, by: "an operator", now });
const failureOf = (payout: { bank_reference: string; amount_pence: number }, changes: object = {}) => ({
  reference: payout.bank_reference,
  amountPence: payout.amount_pence,
  reason: "account_closed" as const,
  said: "B ACCOUNT CLOSED",
  ...changes,
});

/** A batch takes what every test has asked for. */
afterEach(async () => {
  const waiting = await db.selectFrom("payouts").select("public_id").where("state", "=", "requested").execute();
  for (const { public_id: publicId } of waiting)
    await stopPayout(db, { publicId, reason: "operator", by: "the next test", now: MONDAY });
});

async function ready(): Promise<ClubForTests> {
  const club = await newClub();
  await earn(db, club);
  await giveDetails(db, club);
  return club;
}

describe("C6 from request to payment", () => {
  test("C6 money goes from payable to in transit to paid, and the purchase is paid with it", async () => {
    const club = await ready();
    expect(await ask(club, await signIn(db, club))).toMatchObject({ outcome: "requested", amountPence: 600 });
    expect(await balancesOf(club)).toEqual({ payable: 0, inTransit: 600, paid: 0 });
    const made = await batchNow();
    expect(made).toMatchObject({ payouts: 1, totalPence: 600, processingDay: "2026-11-24", entryDay: "2026-11-25" });
    expect(await balancesOf(club)).toEqual({ payable: 0, inTransit: 600, paid: 0 });
    expect(await confirm(made.batchNumber)).toMatchObject({ outcome: "confirmed", paid: 1, paidPence: 600 });
    expect(await balancesOf(club)).toEqual({ payable: 0, inTransit: 0, paid: 600 });
    const entry = await db
      .selectFrom("cashback_entries")
      .select("state")
      .where("member_id", "=", club.memberId)
      .execute();
    expect(entry).toEqual([{ state: "paid" }]);
    expect(await mailsOf(club)).toEqual(["payout-requested", "payout-paid"]);
    expect(await faultsOf(db)).toEqual([]);
  });

  test("C6 pays a request once when 100 ask at once", async () => {
    const club = await ready();
    const session = await signIn(db, club);
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(club, session)));
    expect(answers.filter(({ outcome }) => outcome === "requested")).toHaveLength(1);
    expect(answers.filter(({ outcome }) => outcome === "already")).toHaveLength(99);
    const batches = await Promise.all(Array.from({ length: 5 }, () => batchNow()));
    const [{ batchNumber }, ...others] = batches.filter(({ payouts }) => payouts > 0) as [(typeof batches)[0]];
    expect(others).toEqual([]);
    const confirmed = await Promise.all(Array.from({ length: 5 }, () => confirm(batchNumber)));
    expect(confirmed.map((result) => ("paid" in result ? result.paid : 0)).reduce((sum, paid) => sum + paid)).toBe(1);
    expect(await balancesOf(club)).toEqual({ payable: 0, inTransit: 0, paid: 600 });
    expect((await mailsOf(club)).filter((kind) => kind === "payout-paid")).toHaveLength(1);
    expect(await faultsOf(db)).toEqual([]);
  });

  test("C6 100 members who ask at once are each paid once", async () => {
    const one = await newClub();
    const members = await Promise.all(
      Array.from({ length: 100 }, async () => ({ ...one, memberId: (await insertVerifiedMember(db, one)).id })),
    );
    for (const member of members) {
      await earn(db, member);
      await giveDetails(db, member);
    }
    await Promise.all(members.flatMap((member) => [ask(member), ask(member)]));
    const made = await batchNow();
    expect(made).toMatchObject({ payouts: 100, totalPence: 60_000 });
    await confirm(made.batchNumber);
    for (const member of members) expect(await balancesOf(member)).toEqual({ payable: 0, inTransit: 0, paid: 600 });
    expect(await faultsOf(db)).toEqual([]);
  });

  test("C6 a batch that is run twice takes each payout once, and its files can be written again", async () => {
    const club = await ready();
    await ask(club);
    const made = await batchNow();
    expect(await batchNow()).toMatchObject({ batchNumber: null, payouts: 0 });
    const files = await batchFiles(db, { batchNumber: made.batchNumber!, method, now: MONDAY });
    if (!Array.isArray(files)) throw new Error("The batch has no files.");
    expect(await batchFiles(db, { batchNumber: made.batchNumber!, method, now: MONDAY })).toEqual(files);
    expect(files[0]!.text).toContain(`${account.sortCode}${account.accountNumber}099`);
    expect(await batchFiles(db, { batchNumber: 999_999, method, now: MONDAY })).toBeNull();
  });

  test("C6 once the bank details of a payment are deleted, a batch has no files, and says so", async () => {
    const [club, other] = [await ready(), await ready()];
    await ask(club);
    await ask(other);
    const { batchNumber } = await batchNow();
    const [payout] = await payoutsOf(club);
    await applyFailures(db, { failures: [failureOf(payout!)], now: WEDNESDAY });
    expect(await batchFiles(db, { batchNumber: batchNumber!, method, now: MONDAY })).toBe("details-deleted");
    expect(await findBatch(db, { batchNumber: batchNumber!, bankKeys })).toMatchObject({ detailsDeleted: 1 });
  });

  test("C6 a batch counts what is still paid apart from what failed or came back, on its page and in the list", async () => {
    const clubs = [await ready(), await ready(), await ready()];
    await earn(db, clubs[2]!);
    for (const club of clubs) await ask(club);
    const { batchNumber } = await batchNow();
    const [first] = await payoutsOf(clubs[0]!);
    await applyFailures(db, { failures: [failureOf(first!)], now: WEDNESDAY });
    const sums = { payouts: 2, totalPence: 1800, ended: 1, endedPence: 600 };
    expect(await findBatch(db, { batchNumber: batchNumber!, bankKeys })).toMatchObject(sums);
    await confirm(batchNumber);
    const [second] = await payoutsOf(clubs[1]!);
    await applyFailures(db, { failures: [failureOf(second!)], now: WEDNESDAY });
    const later = { payouts: 1, totalPence: 1200, ended: 2, endedPence: 1200 };
    expect(await findBatch(db, { batchNumber: batchNumber!, bankKeys })).toMatchObject({
      ...later,
      parts: [{ state: "failed" }, { state: "paid", payouts: 1, pence: 1200 }, { state: "returned" }],
    });
    expect((await listBatches(db, { max: 1 }))[0]).toMatchObject({ batchNumber, ...later });
  });

  test("C6 a batch can be confirmed when its processing day is over in London, not before", async () => {
    const club = await ready();
    await ask(club);
    const { batchNumber } = await batchNow();
    const early = { outcome: "too-early", processingDay: "2026-11-24" };
    expect(await confirm(batchNumber, new Date("2026-11-24T23:59:59Z"))).toEqual(early);
    expect(await balancesOf(club)).toEqual({ payable: 0, inTransit: 600, paid: 0 });
    expect(await confirm(batchNumber, new Date("2026-11-25T00:00:00Z"))).toMatchObject({ paid: 1 });
    expect(await confirm(batchNumber)).toMatchObject({ outcome: "confirmed", paid: 0 });
    expect(await confirm(999_999)).toEqual({ outcome: "unknown" });
  });
});

describe("C6 what keeps a payout from being asked for", () => {
  test("C6 less than the brand's threshold is not paid out, the threshold itself is", async () => {
    const club = await newClub();
    await giveDetails(db, club);
    await earn(db, club, { pounds: 83 });
    expect(await ask(club)).toEqual({ outcome: "below-threshold", payablePence: 498, thresholdPence: 500 });
    await db.updateTable("brands").set({ payout_threshold_pence: 498 }).where("id", "=", club.brandId).execute();
    expect(await ask(club)).toMatchObject({ outcome: "requested", amountPence: 498 });
  });

  test("C6 without bank details, in an ended session, or while the account is closed, nothing is asked for", async () => {
    const club = await newClub();
    await earn(db, club);
    expect(await ask(club)).toEqual({ outcome: "needs-details" });
    await giveDetails(db, club);
    const session = await signIn(db, club);
    await db.deleteFrom("member_sessions").where("id", "=", session).execute();
    expect(await ask(club, session)).toEqual({ outcome: "signed-out" });
    const other = await newClub();
    expect(await requestPayout(db, { ...other, memberId: club.memberId, sessionId: null, now: MONDAY })).toEqual({
      outcome: "signed-out",
    });
    expect(await payoutsOf(club)).toEqual([]);
  });

  test("C6 a lapsed and a suspended member are paid; only a hold with a reason stops it, until an operator lifts it", async () => {
    const club = await ready();
    await db.updateTable("members").set({ verification: "lapsed" }).where("id", "=", club.memberId).execute();
    await suspendMember(db, { brandId: club.brandId, memberId: club.memberId, now: MONDAY });
    const { member_number: memberNumber } = await db
      .selectFrom("members")
      .select("member_number")
      .where("id", "=", club.memberId)
      .executeTakeFirstOrThrow();
    const hold = { memberNumber, reason: "ten accounts, one card", by: "an operator", now: MONDAY };
    const placed = await placeHold(db, hold);
    expect(await placeHold(db, hold)).toEqual({ outcome: "already" });
    expect(await ask(club)).toEqual({ outcome: "on-hold" });
    const [listed, ...more] = (await listHolds(db)).filter((one) => one.memberNumber === memberNumber);
    expect(more).toEqual([]);
    expect(placed).toEqual({ outcome: "held", publicId: listed!.publicId });
    expect(listed).toMatchObject({ reason: "ten accounts, one card", payableAndInTransitPence: 600 });
    expect(await liftHold(db, { publicId: listed!.publicId, by: "an operator", now: MONDAY })).toBe(true);
    expect(await liftHold(db, { publicId: listed!.publicId, by: "an operator", now: MONDAY })).toBe(false);
    expect(await ask(club)).toMatchObject({ outcome: "requested" });
    const { data } = await db
      .selectFrom("mails")
      .select("data")
      .where("member_id", "=", club.memberId)
      .where("kind", "=", "payout-requested")
      .executeTakeFirstOrThrow();
    expect(data, "the member, who can't sign in, is not told of pages").toMatchObject({ isByClub: true });
    expect((await batchNow()).payouts).toBe(1);
  });

  test("C6 a member cancels what has not left, and only their own", async () => {
    const club = await ready();
    const stranger = await ready();
    const asked = await ask(club);
    const publicId = asked.outcome === "requested" ? asked.publicId : "";
    const cancel = (by: ClubForTests) => cancelPayout(db, { ...by, publicId, now: MONDAY });
    expect(await cancel(stranger)).toBe("unknown");
    expect(await cancel(club)).toBe("cancelled");
    expect(await cancel(club)).toBe("too-late");
    expect(await balancesOf(club)).toEqual({ payable: 600, inTransit: 0, paid: 0 });
    expect(await ask(club)).toMatchObject({ outcome: "requested", amountPence: 600 });
  });
});

describe("C6 one payout that can't be made holds up nobody", () => {
  test("C6 held details, a hold, none at all, and details that can't be decrypted are left out with a reason each", async () => {
    const [held, onHold, without, unreadable, foreign, good] = [
      await ready(),
      await ready(),
      await ready(),
      await ready(),
      await ready(),
      await ready(),
    ] as const;
    for (const club of [held, onHold, without, unreadable, foreign, good]) await ask(club);
    await giveDetails(db, held, { usableFrom: new Date(MONDAY.getTime() + 1) });
    await db
      .insertInto("payout_holds")
      .values({
        id: onHold.memberId,
        brand_id: onHold.brandId,
        member_id: onHold.memberId,
        reason: "a stolen card",
        placed_by: "x",
        placed_at: MONDAY,
      })
      .execute();
    await db.deleteFrom("bank_details").where("member_id", "=", without.memberId).execute();
    await giveDetails(db, unreadable, { sealed: sealBankAccount(account, unreadable.memberId, ["another key"]) });
    await giveDetails(db, foreign, { sealed: sealBankAccount(account, good.memberId, bankKeys) });
    const made = await batchNow();
    expect(made.payouts).toBe(1);
    expect(made.skipped.map(({ because }) => because)).toEqual([
      expect.stringContaining("held until 2026-11-23T10:00:00.001Z"),
      expect.stringContaining("a stolen card"),
      expect.stringContaining("No bank details"),
      expect.stringContaining("FARTHING_OLD_SECRETS"),
      expect.stringContaining("another member's"),
    ]);
    const listed = await listPayouts(db);
    expect(listed.filter(({ lastError }) => lastError !== null)).toHaveLength(5);
    // Once mended, each leaves; the hold of 72 hours ends at its moment.
    for (const club of [without, unreadable, foreign]) await giveDetails(db, club);
    expect((await batchNow(new Date(MONDAY.getTime() + 1))).payouts).toBe(4);
    for (const club of [held, without]) expect(await balancesOf(club)).toMatchObject({ inTransit: 600 });
    expect(await faultsOf(db)).toEqual([]);
  });

  test("C6 one payment that can't be recorded leaves the others recorded, and a second confirm pays it once", async () => {
    const [broken, good] = [await ready(), await ready()];
    for (const club of [broken, good]) await ask(club);
    const { batchNumber } = await batchNow();
    // The mail about the payment can't be queued.
    await db.updateTable("members").set({ email: "not-an-address" }).where("id", "=", broken.memberId).execute();
    const first = await confirm(batchNumber);
    expect(first).toMatchObject({
      outcome: "incomplete",
      paid: 1,
      failed: [{ publicId: expect.any(String) as string }],
    });
    expect(await balancesOf(broken)).toEqual({ payable: 0, inTransit: 600, paid: 0 });
    await db
      .updateTable("members")
      .set({ email: "mended@members.example" })
      .where("id", "=", broken.memberId)
      .execute();
    expect(await confirm(batchNumber)).toMatchObject({ outcome: "confirmed", paid: 1 });
    expect(await balancesOf(good)).toEqual({ payable: 0, inTransit: 0, paid: 600 });
  });
});

describe("C6 what the bank sends back", () => {
  test("C6 a payment that failed is payable again, its account is forgotten, and it can be withdrawn to another", async () => {
    const club = await ready();
    await ask(club);
    const { batchNumber } = await batchNow();
    const [payout] = await payoutsOf(club);
    const apply = (changes: object = {}) =>
      applyFailures(db, { failures: [failureOf(payout!, changes)], now: WEDNESDAY });
    expect(await apply({ amountPence: 601 })).toMatchObject([{ outcome: "other-amount" }]);
    expect(await apply({ reference: "FPNOSUCHREFX" })).toMatchObject([{ outcome: "unknown" }]);
    expect(await apply()).toMatchObject([{ outcome: "failed" }]);
    expect(await apply()).toMatchObject([{ outcome: "already" }]);
    expect(await balancesOf(club)).toEqual({ payable: 600, inTransit: 0, paid: 0 });
    expect(await confirm(batchNumber), "what failed is not recorded as paid").toMatchObject({ paid: 0 });
    expect(await ask(club)).toEqual({ outcome: "needs-details" });
    await giveDetails(db, club);
    expect(await ask(club)).toMatchObject({ amountPence: 600 });
    expect(await mailsOf(club)).toEqual(["payout-requested", "payout-failed", "payout-requested"]);
  });

  test("C6 a payment that comes back after it was paid is payable again and paid once more", async () => {
    const club = await ready();
    await ask(club);
    const { batchNumber } = await batchNow();
    await confirm(batchNumber);
    const [payout] = await payoutsOf(club);
    const failure = failureOf(payout!, { reason: "recalled" });
    const twice = await Promise.all([1, 2].map(() => applyFailures(db, { failures: [failure], now: WEDNESDAY })));
    expect(twice.map(([one]) => one!.outcome).sort()).toEqual(["already", "returned"]);
    expect(await balancesOf(club)).toEqual({ payable: 600, inTransit: 0, paid: 0 });
    expect(await ask(club)).toMatchObject({ amountPence: 600 });
    const again = await batchNow(WEDNESDAY);
    await confirm(again.batchNumber, new Date("2026-11-27T00:00:00Z"));
    expect(await balancesOf(club)).toEqual({ payable: 0, inTransit: 0, paid: 600 });
    expect(await faultsOf(db)).toEqual([]);
  });

  test("C6 a failure of an old account does not remove the one that the member has given since", async () => {
    const club = await ready();
    await ask(club);
    await batchNow();
    await giveDetails(db, club);
    const [payout] = await payoutsOf(club);
    await applyFailures(db, { failures: [failureOf(payout!)], now: WEDNESDAY });
    expect(await ask(club)).toMatchObject({ outcome: "requested" });
  });

  test("C6 an operator stops what waits, not what is at the bank", async () => {
    const club = await ready();
    const asked = await ask(club);
    const publicId = asked.outcome === "requested" ? asked.publicId : "";
    const stop = () => stopPayout(db, { publicId, reason: "operator", by: "an operator", now: MONDAY });
    await batchNow();
    expect(await stop()).toEqual({ outcome: "too-late", state: "processing" });
    const other = await ready();
    const second = await ask(other);
    const waiting = second.outcome === "requested" ? second.publicId : "";
    const stopOther = () => stopPayout(db, { publicId: waiting, reason: "operator", by: "x", now: MONDAY });
    expect(await stopOther()).toEqual({ outcome: "stopped" });
    expect(await balancesOf(other)).toMatchObject({ payable: 600, inTransit: 0 });
  });
});

describe("C6 what shops take back", () => {
  test("C6 a purchase that is taken back before the batch is not paid, and the rest can be asked for", async () => {
    const club = await ready();
    const second = await earn(db, club, { pounds: 200 });
    expect(await ask(club)).toMatchObject({ amountPence: 1800 });
    await takeBack(db, club, second);
    const made = await batchNow();
    expect(made).toMatchObject({
      payouts: 0,
      skipped: [{ because: expect.stringContaining("took money back") as string }],
    });
    expect(await ask(club)).toMatchObject({ outcome: "requested", amountPence: 600 });
  });

  test("C6 a purchase that is taken back after the payment is deducted from what is earned next", async () => {
    const club = await newClub();
    await giveDetails(db, club);
    const first = await earn(db, club);
    await ask(club);
    const { batchNumber } = await batchNow();
    await takeBack(db, club, first);
    await confirm(batchNumber);
    expect(await balancesOf(club)).toEqual({ payable: -600, inTransit: 0, paid: 600 });
    expect(await ask(club)).toMatchObject({ outcome: "below-threshold", payablePence: -600 });
    await earn(db, club, { pounds: 200 });
    expect(await ask(club)).toMatchObject({ outcome: "requested", amountPence: 600 });
    const again = await batchNow(WEDNESDAY);
    await confirm(again.batchNumber, new Date("2026-11-27T00:00:00Z"));
    expect(await balancesOf(club)).toEqual({ payable: 0, inTransit: 0, paid: 1200 });
    const states = await db
      .selectFrom("cashback_entries")
      .select("state")
      .where("member_id", "=", club.memberId)
      .execute();
    expect(states.map(({ state }) => state)).toEqual(["paid", "paid", "paid"]);
    expect(await faultsOf(db)).toEqual([]);
  });
});

test("C6 the page's data has what is under way, what is over with its reason, and the panel of the newest", async () => {
  const club = await ready();
  const query = { memberId: club.memberId, keys: bankKeys, now: MONDAY };
  expect(await findWithdrawals(db, query)).toMatchObject({
    payablePence: 600,
    thresholdPence: 500,
    open: null,
    past: [],
  });
  await ask(club);
  expect(await findWithdrawals(db, query)).toMatchObject({ open: { state: "requested", amountPence: 600 } });
  await batchNow();
  expect(await findWithdrawals(db, query)).toMatchObject({ open: { state: "processing", entryDay: "2026-11-25" } });
  const [payout] = await payoutsOf(club);
  await applyFailures(db, { failures: [failureOf(payout!)], now: WEDNESDAY });
  const view = await findWithdrawals(db, query);
  expect(view).toMatchObject({ open: null, details: null, past: [{ state: "failed" }] });
  expect(view.past[0]!.reason).toContain("Give us another one");
  expect(await findWithdrawalPanel(db, club)).toMatchObject({ open: null, lastFailure: { amountPence: 600 } });
});
