import { describe, expect, test } from "vitest";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { sealBankAccount } from "../bank-details/bank-seal.ts";
import { changeBankDetails } from "./change-bank-details.server.ts";
import { advanceClosures } from "../closures/close-member.server.ts";
import { requestClosure } from "../closures/operations.server.ts";
import { makeClub, type ClubForTests } from "../cashback/cashback.testing.ts";
import { findMemberBalances } from "../ledger/balances.server.ts";
import { lockMember } from "../members/lock-member.server.ts";
import { suspendMember } from "../members/suspension.server.ts";
import { rejectBatch } from "../payouts/approve.server.ts";
import { makeBatch } from "../payouts/batch.server.ts";
import { confirmBatch } from "../payouts/confirm.server.ts";
import { applyFailures } from "../payouts/failures.server.ts";
import { insertPayout, requestPayout } from "../payouts/operations.server.ts";
import {
  account,
  bankKeys,
  earn,
  faultsOf,
  giveDetails,
  makeApprovedBatch,
  method,
  MONDAY,
  payeeKeys,
  signIn,
  WEDNESDAY,
} from "../payouts/payouts.testing.ts";
import { erasePersonalData } from "../personal-data/erase-member.server.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { decideHold, holdReferral, listReferrals } from "./decide-hold.server.ts";
import { findInvitation, findOwnCode, replaceCode, showFirstName } from "../invitations/operations.server.ts";
import { markOfBrowser, markOfMailbox, rememberMarks } from "../invitations/marks.server.ts";
import { endProgramme, findProgramme } from "../invitations/programmes.server.ts";
import { holdForBankDetails } from "./holds.server.ts";
import { findFriends } from "./queries.server.ts";
import {
  bonusesOf,
  FRIEND_PENCE,
  invite,
  INVITER_PENCE,
  JOINED,
  keys,
  LATER,
  mailsOf,
  report,
  revise,
  secret,
  start,
  verify,
  work,
} from "./referrals.testing.ts";
import { watchReferrals } from "./watch-referrals.server.ts";

const { db } = await testDatabase();
let clubs = 0;

async function newClub(changes: Parameters<typeof start>[2] = {}): Promise<ClubForTests> {
  const club = await makeClub(db, { networkSlug: `net-${(clubs += 1)}` });
  await db.updateTable("brands").set({ payout_threshold_pence: 500 }).where("id", "=", club.brandId).execute();
  await start(db, club.brandId, changes);
  return club;
}

const payableOf = async (memberId: string) => (await findMemberBalances(db, { memberId })).member_payable;
const approved = { status: "approved", paidToPublisher: true } as const;
const both = (state: string) => ({ friend: state, inviter: state });
const holdsOf = async (referralId: string | undefined) =>
  db.selectFrom("referral_holds").selectAll().where("referral_id", "=", referralId!).orderBy("placed_at").execute();

const referralOf = async (referralId: string | undefined) => {
  const found = db.selectFrom("referrals").select("public_id as publicId").where("id", "=", referralId!);
  return found.executeTakeFirstOrThrow();
};
const openHoldOf = async (referralId: string | undefined) => {
  const hold = (await holdsOf(referralId)).find(({ decision }) => decision === null);
  return { publicId: hold!.public_id, note: "we looked", by: "op", keys, now: LATER };
};
const payoutsOf = (memberId: string) =>
  db.selectFrom("payouts").selectAll().where("member_id", "=", memberId).orderBy("id").execute();
const batchNow = () => makeBatch(db, { method, bankKeys, payeeKeys, by: "a test", now: MONDAY });
const OTHER_ACCOUNT = { ...account, accountNumber: "55779911" };

/** A member gives their bank account on the site. */
const giveAccount = async (club: ClubForTests, memberId: string, accountOf = account) =>
  changeBankDetails(db, {
    brandId: club.brandId,
    memberId,
    sessionId: await signIn(db, { ...club, memberId }),
    account: accountOf,
    keys: bankKeys,
    now: LATER,
  });

/** A friend with an account of their own has asked for their £6.00 of cashback and the bonus; the inviter has `account`. */
async function withRequested() {
  const club = await newClub();
  await giveDetails(db, club);
  const invited = await invite(db, club);
  const { friend, friendId } = invited;
  await giveDetails(db, friend, {
    of: OTHER_ACCOUNT,
    sealed: sealBankAccount(OTHER_ACCOUNT, friendId, bankKeys),
  });
  await report(db, friend, approved);
  await work(db);
  const { brandId } = club;
  const asked = await requestPayout(db, { brandId, memberId: friendId, sessionId: null, now: MONDAY });
  expect(asked).toMatchObject({ outcome: "requested", amountPence: 600 + FRIEND_PENCE });
  return { club, ...invited };
}

describe("C8 from invitation to bonus", () => {
  test("C8 both bonuses follow the first purchase that qualifies: on its way, confirmed, payable, each told once", async () => {
    const club = await newClub();
    const { referralId, friendId, friend } = await invite(db, club);
    await work(db, JOINED);
    expect(await bonusesOf(db, referralId)).toEqual(both("invited"));
    const purchase = await report(db, friend);
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual(both("qualifying"));
    await revise(db, friend, purchase, { status: "approved" });
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual(both("confirmed"));
    expect(await findMemberBalances(db, { memberId: club.memberId })).toMatchObject({
      member_confirmed: INVITER_PENCE,
      member_payable: 0,
    });
    await revise(db, friend, purchase, approved);
    await work(db);
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual(both("payable"));
    expect(await payableOf(club.memberId)).toBe(INVITER_PENCE);
    expect(await payableOf(friendId)).toBe(600 + FRIEND_PENCE);
    expect(await mailsOf(db, club.memberId)).toEqual(["friend-joined", "bonus-earned"]);
    expect(await mailsOf(db, friendId)).toEqual(["bonus-earned"]);
    expect(await faultsOf(db)).toEqual([]);
  });

  test("C8 a purchase with too little cashback, or after the last day, brings nothing", async () => {
    const club = await newClub();
    const small = await invite(db, club);
    await report(db, small.friend, { ...approved, saleMinor: 1_650, commissionMinor: 132 }); // £0.99
    const late = await invite(db, club);
    await report(db, late.friend, { ...approved, purchasedAt: new Date("2026-12-20T00:00:00Z") });
    const inTime = await invite(db, club);
    await report(db, inTime.friend, { ...approved, purchasedAt: new Date("2026-12-19T23:59:59Z") });
    await work(db);
    expect(await bonusesOf(db, small.referralId)).toEqual(both("invited"));
    expect(await bonusesOf(db, late.referralId)).toEqual(both("invited"));
    expect(await bonusesOf(db, inTime.referralId)).toEqual(both("payable"));
  });

  test("C8 a friend who has proved nothing brings nothing until they have", async () => {
    const club = await newClub();
    const { referralId, friendId, friend } = await invite(db, club, { isVerified: false });
    await report(db, friend, approved);
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual(both("qualifying"));
    expect((await findFriends(db, { ...club, now: LATER })).joined).toBe(0);
    expect(await mailsOf(db, club.memberId)).toEqual([]);
    await verify(db, friendId);
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual(both("payable"));
  });

  test("C8 reminds the friend once, then expires, and a purchase made in time and reported late still counts", async () => {
    const club = await newClub();
    const { referralId, friendId, friend } = await invite(db, club);
    await work(db, new Date("2026-12-12T23:59:59Z"));
    expect(await mailsOf(db, friendId)).toEqual([]);
    for (let turn = 0; turn < 3; turn += 1) await work(db, new Date("2026-12-13T00:00:01Z"));
    expect(await mailsOf(db, friendId)).toEqual(["bonus-expiring"]);
    await work(db, new Date("2027-01-18T23:59:59Z"));
    expect(await bonusesOf(db, referralId)).toEqual(both("invited"));
    await work(db, new Date("2027-01-19T00:00:00Z"));
    expect(await bonusesOf(db, referralId)).toEqual(both("expired"));
    await report(db, friend, approved);
    await work(db, new Date("2027-01-20T00:00:00Z"));
    expect(await bonusesOf(db, referralId)).toEqual(both("payable"));
  });

  test("C8 the inviter earns no more than the cap allows, and friends beyond it still get theirs", async () => {
    const club = await newClub({ maxPerYear: 2 });
    const invited = [];
    for (let friend = 0; friend < 4; friend += 1) invited.push(await invite(db, club));
    await Promise.all(invited.map(({ friend }) => report(db, friend, approved)));
    await Promise.all([1, 2, 3, 4].map(() => watchReferrals(db, { keys, now: LATER, max: 1 })));
    await work(db);
    const states = await Promise.all(invited.map(({ referralId }) => bonusesOf(db, referralId)));
    expect(states.map(({ friend }) => friend)).toEqual(Array(4).fill("payable"));
    expect(states.filter(({ inviter }) => inviter === "payable")).toHaveLength(2);
    expect(states.filter(({ inviter }) => inviter === "ended")).toHaveLength(2);
    expect(await payableOf(club.memberId)).toBe(2 * INVITER_PENCE);
  });

  test("C8 the bonus that an inviter got as a friend does not count towards the cap of what they earn as an inviter", async () => {
    const club = await newClub({ maxPerYear: 1 });
    const inviter = await invite(db, club);
    await report(db, inviter.friend, approved);
    await work(db);
    expect(await bonusesOf(db, inviter.referralId)).toEqual(both("payable"));
    const first = await invite(db, club, { inviterId: inviter.friendId });
    await report(db, first.friend, approved);
    await work(db);
    expect(await bonusesOf(db, first.referralId)).toEqual(both("payable"));
    expect(await payableOf(inviter.friendId)).toBe(600 + FRIEND_PENCE + INVITER_PENCE);
    const second = await invite(db, club, { inviterId: inviter.friendId });
    await report(db, second.friend, approved);
    await work(db);
    expect(await bonusesOf(db, second.referralId)).toEqual({ friend: "payable", inviter: "ended" });
  });

  test("C8 a suspended member is sent no mail about invitations, and the other side is", async () => {
    const [byInviter, byFriend] = [await newClub(), await newClub()];
    const [ofSuspended, suspended] = [await invite(db, byInviter), await invite(db, byFriend)];
    await suspendMember(db, { brandId: byInviter.brandId, memberId: byInviter.memberId, now: JOINED });
    await suspendMember(db, { brandId: byFriend.brandId, memberId: suspended.friendId, now: JOINED });
    const before = await Promise.all([byInviter.memberId, suspended.friendId].map((id) => mailsOf(db, id)));
    await work(db, JOINED);
    for (const { friend } of [ofSuspended, suspended]) {
      const purchase = await report(db, friend, approved);
      await work(db);
      await revise(db, friend, purchase, { status: "declined" });
      await work(db);
    }
    const about = ["friend-joined", "bonus-earned", "bonus-reversed"];
    expect(await Promise.all([byInviter.memberId, suspended.friendId].map((id) => mailsOf(db, id)))).toEqual(before);
    expect(await mailsOf(db, ofSuspended.friendId)).toEqual(["bonus-earned", "bonus-reversed"]);
    expect(await mailsOf(db, byFriend.memberId)).toEqual(about);
  });

  test("C8 the terms that a friend joined under hold, whatever the brand promises later", async () => {
    const club = await newClub();
    const { referralId, friend } = await invite(db, club);
    await start(db, club.brandId, {
      friendPence: 1,
      inviterPence: 0,
      minCashbackPence: 90_000,
      startsAt: LATER,
      now: LATER,
    });
    expect(await findProgramme(db, { brandId: club.brandId, now: LATER })).toMatchObject({ friendPence: 1 });
    await endProgramme(db, { brandId: club.brandId, at: new Date(LATER.getTime() + 1), by: "a test" });
    expect(await findProgramme(db, { brandId: club.brandId, now: new Date(LATER.getTime() + 1) })).toBeNull();
    await report(db, friend, approved);
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual(both("payable"));
    const change = db
      .updateTable("referral_programmes")
      .set({ friend_pence: 1 })
      .where("brand_id", "=", club.brandId)
      .execute();
    await expect(change).rejects.toThrow("is fixed");
  });
});

describe("C8 the money", () => {
  test("C8 a hundred workers and reports at once bring one bonus", async () => {
    const club = await newClub();
    const { referralId, friendId, friend } = await invite(db, club);
    const purchase = await report(db, friend, approved);
    const again = { ...purchase, observedAt: LATER };
    await Promise.all(
      Array.from({ length: 100 }, async (_, turn) => {
        if (turn % 10 === 0) await revise(db, friend, again, { saleMinor: 10_000 + turn, commissionMinor: 800 });
        await watchReferrals(db, { keys, now: LATER });
      }),
    );
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual(both("payable"));
    const posted = await db
      .selectFrom("ledger_transfers")
      .select("transfer_kind")
      .where("cause_kind", "=", "bonus")
      .where("cause_id", "in", db.selectFrom("bonuses").select("id").where("referral_id", "=", referralId!))
      .execute();
    expect(posted).toHaveLength(2);
    expect(await payableOf(club.memberId)).toBe(INVITER_PENCE);
    expect((await mailsOf(db, friendId)).filter((kind) => kind === "bonus-earned")).toHaveLength(1);
    expect(await faultsOf(db)).toEqual([]);
  });

  test("C8 a worker that is killed in the middle leaves nothing half done, and the next one does it", async () => {
    const club = await newClub();
    const { referralId, friend } = await invite(db, club);
    await report(db, friend, approved);
    // The worker claims the work and dies: nothing is settled, and the lease ends.
    await db
      .updateTable("referral_watches")
      .set({ next_look_at: new Date(LATER.getTime() + 300_000), attempts: 1 })
      .where("referral_id", "=", referralId!)
      .execute();
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual(both("invited"));
    await work(db, new Date(LATER.getTime() + 300_000));
    expect(await bonusesOf(db, referralId)).toEqual(both("payable"));
    expect(await faultsOf(db)).toEqual([]);
  });

  test("C8 C6 a bonus is withdrawn with the rest; taken back afterwards, it is deducted from what comes next and never claimed", async () => {
    const club = await newClub();
    const { friend, friendId, referralId } = await invite(db, club);
    const purchase = await report(db, friend, approved);
    await work(db);
    await giveDetails(db, club);
    const { brandId, memberId } = club;
    expect(await requestPayout(db, { brandId, memberId, sessionId: null, now: MONDAY })).toMatchObject({
      outcome: "requested",
      amountPence: INVITER_PENCE,
    });
    const { batchNumber } = await makeApprovedBatch(db, { method, bankKeys, payeeKeys, by: "a test", now: MONDAY });
    await confirmBatch(db, { batchNumber: batchNumber!, bankKeys, by: "a test", now: WEDNESDAY });
    expect(await findMemberBalances(db, { memberId })).toMatchObject({ member_payable: 0, member_paid: INVITER_PENCE });
    await revise(db, friend, purchase, { status: "declined", paidToPublisher: true });
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual(both("reversed"));
    expect(await payableOf(memberId)).toBe(-INVITER_PENCE);
    expect(await payableOf(friendId)).toBe(0);
    expect(await requestPayout(db, { brandId, memberId, sessionId: null, now: MONDAY })).toMatchObject({
      outcome: "below-threshold",
    });
    expect(await mailsOf(db, friendId)).toContain("bonus-reversed");
    await report(db, friend, approved);
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual(both("payable"));
    expect(await payableOf(memberId)).toBe(0);
    expect((await mailsOf(db, memberId)).filter((kind) => kind === "bonus-earned")).toHaveLength(1);
    expect(await faultsOf(db)).toEqual([]);
  });

  test("C8 C4 the check of the books finds a bonus whose postings are not its state's", async () => {
    const club = await newClub();
    const { referralId, friend } = await invite(db, club);
    await report(db, friend, approved);
    await work(db);
    const changed = { state: "reversed", version: 3 };
    await db
      .updateTable("bonuses")
      .set(changed)
      .where("referral_id", "=", referralId!)
      .where("side", "=", "friend")
      .execute();
    expect(await faultsOf(db)).toEqual([
      expect.stringMatching(/^Bonus .* should have 0 pence in club_bonuses, and has -500\.$/),
      expect.stringMatching(/^Bonus .* should have 0 pence in member_payable, and has 500\.$/),
    ]);
    // Put right for the other tests: the books are one.
    await db
      .updateTable("bonuses")
      .set({ state: "payable", version: 4 })
      .where("referral_id", "=", referralId!)
      .where("side", "=", "friend")
      .execute();
    expect(await faultsOf(db)).toEqual([]);
  });

  test("C8 M5 who leaves gives up what is not theirs yet; what the other side earns stays", async () => {
    const club = await newClub();
    const { friend, friendId, referralId } = await invite(db, club);
    const purchase = await report(db, friend, { status: "approved" });
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual(both("confirmed"));
    const own = { brandId: club.brandId, memberId: friendId, payee: null, keys: payeeKeys };
    await requestClosure(db, { ...own, pendingChoice: "give-up", payableChoice: "give-up", now: LATER });
    const closing = new Date(LATER.getTime() + 8 * 86_400_000);
    expect(await advanceClosures(db, { now: closing })).toBe(1);
    await work(db, closing);
    expect(await bonusesOf(db, referralId)).toEqual({ friend: "ended", inviter: "confirmed" });
    await revise(db, friend, purchase, approved);
    await work(db, closing);
    expect(await bonusesOf(db, referralId)).toEqual({ friend: "ended", inviter: "payable" });
    expect((await findMemberBalances(db, { memberId: friendId })).member_confirmed).toBe(0);
    expect(await db.selectFrom("member_marks").selectAll().where("member_id", "=", friendId).execute()).toEqual([]);
    expect(await faultsOf(db)).toEqual([]);
  });

  test("C8 M5 a payable bonus is part of what a member who leaves is paid or gives up", async () => {
    const club = await newClub();
    const { friend } = await invite(db, club);
    await report(db, friend, approved);
    await work(db);
    const { brandId, memberId } = club;
    await requestClosure(db, {
      brandId,
      memberId,
      payee: null,
      keys: payeeKeys,
      pendingChoice: "give-up",
      payableChoice: "give-up",
      now: LATER,
    });
    await advanceClosures(db, { now: new Date(LATER.getTime() + 8 * 86_400_000) });
    await work(db);
    const closure = await db
      .selectFrom("closures")
      .select("given_up_pence")
      .where("member_id", "=", memberId)
      .executeTakeFirst();
    expect(closure?.given_up_pence).toBe(INVITER_PENCE);
    expect(await payableOf(memberId)).toBe(0);
    expect(await faultsOf(db)).toEqual([]);
  });
});

describe("C8 holds", () => {
  const browser = markOfBrowser("one browser", secret);

  test("C8 a browser that inviter and friend share holds both bonuses; the operator lifts it, and it stays lifted", async () => {
    const club = await newClub();
    await rememberMarks(db, {
      ...club,
      marks: { browser, mailbox: markOfMailbox("ada@inviter.example", secret) },
      now: JOINED,
    });
    const { referralId, friendId, friend } = await invite(db, club, { browserMark: browser });
    await work(db);
    expect(await holdsOf(referralId)).toEqual([]);
    await report(db, friend, approved);
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual(both("held"));
    expect([await payableOf(club.memberId), await payableOf(friendId)]).toEqual([0, 600]);
    const [hold] = await holdsOf(referralId);
    expect(hold).toMatchObject({ reasons: ["same_device"], placed_by: "rules", decision: null });
    const wanted = {
      publicId: hold!.public_id,
      decision: "lifted",
      note: "a couple with one tablet",
      by: "op",
      keys,
      now: LATER,
    } as const;
    const outcomes = await Promise.all([1, 2, 3].map(() => decideHold(db, wanted)));
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(["decided", "unknown", "unknown"]);
    expect(await bonusesOf(db, referralId)).toEqual(both("payable"));
    await report(db, friend, approved);
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual(both("payable"));
    expect(await holdsOf(referralId)).toMatchObject([
      { decision: "lifted", decided_by: "op", note: "a couple with one tablet" },
    ]);
    expect((await listReferrals(db, { which: { of: friendId } })).length).toBe(0);
    expect(await faultsOf(db)).toEqual([]);
  });

  test("C8 two friends of one inviter who share a mailbox: the second is held, the first is not", async () => {
    const club = await newClub();
    const first = await invite(db, club, { email: `box${clubs}+a@mail.example` });
    const second = await invite(db, club, {
      email: `box${clubs}+b@mail.example`,
      now: new Date(JOINED.getTime() + 1_000),
    });
    const stranger = await newClub();
    const other = await invite(db, stranger, { email: `box${clubs - 1}+c@mail.example` });
    for (const { friend } of [first, second, other]) await report(db, friend, approved);
    await work(db);
    expect(await bonusesOf(db, first.referralId)).toEqual(both("payable"));
    expect(await bonusesOf(db, second.referralId)).toEqual(both("held"));
    expect(await bonusesOf(db, other.referralId)).toEqual(both("payable"));
    expect(await holdsOf(second.referralId)).toMatchObject([{ reasons: ["same_address"] }]);
  });

  test("C8 bank details that the friend has given too hold what is in the balance, before it can be withdrawn to them", async () => {
    const club = await newClub();
    const { referralId, friendId, friend } = await invite(db, club);
    await report(db, friend, approved);
    await work(db);
    await giveAccount(club, club.memberId);
    expect(await bonusesOf(db, referralId)).toEqual(both("payable"));
    expect(await giveAccount(club, friendId)).toBe("changed");
    // At once, without a worker: the friend can ask for the money in the next moment.
    expect(await bonusesOf(db, referralId)).toEqual({ friend: "held", inviter: "payable" });
    expect(await payableOf(friendId)).toBe(600);
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual(both("held"));
    const [hold] = await holdsOf(referralId);
    await decideHold(db, {
      publicId: hold!.public_id,
      decision: "refused",
      note: "one person",
      by: "op",
      keys,
      now: LATER,
    });
    expect(await bonusesOf(db, referralId)).toEqual(both("ended"));
    expect(await payableOf(club.memberId)).toBe(0);
    expect(await faultsOf(db)).toEqual([]);
  });

  test("C8 C6 a withdrawal that was asked for before the shared bank details ends, and the bonus in it is held", async () => {
    const { club, referralId, friend, friendId } = await withRequested();
    expect(await giveAccount(club, friendId)).toBe("changed");
    expect(await payoutsOf(friendId)).toMatchObject([{ state: "failed", reason: "bonus_held", amount_pence: 1_100 }]);
    expect(await bonusesOf(db, referralId)).toMatchObject({ friend: "held" });
    expect(await findMemberBalances(db, { memberId: friendId })).toMatchObject({
      member_payable: 600,
      member_in_transit: 0,
    });
    expect((await mailsOf(db, friendId)).filter((kind) => kind === "payout-failed")).toHaveLength(1);
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual(both("held"));
    await decideHold(db, { ...(await openHoldOf(referralId)), decision: "refused" });
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual(both("ended"));
    // What is left is cashback, and theirs to withdraw.
    const { brandId } = friend;
    const again = await requestPayout(db, { brandId, memberId: friendId, sessionId: null, now: MONDAY });
    expect(again).toMatchObject({ outcome: "requested", amountPence: 600 });
    expect((await mailsOf(db, friendId)).filter((kind) => kind === "payout-failed")).toHaveLength(1);
    expect(await faultsOf(db)).toEqual([]);
  });

  test("C8 C6 an operator's hold ends a withdrawal that is only asked for, once, and leaves one without the bonus alone", async () => {
    const { referralId, friend, friendId } = await withRequested();
    const hold = async () => holdReferral(db, { ...(await referralOf(referralId)), by: "op", keys, now: LATER });
    await Promise.all([hold(), hold(), hold()]);
    expect(await bonusesOf(db, referralId)).toEqual(both("held"));
    expect(await payoutsOf(friendId)).toMatchObject([{ state: "failed", reason: "bonus_held" }]);
    const { brandId } = friend;
    await requestPayout(db, { brandId, memberId: friendId, sessionId: null, now: LATER });
    await hold();
    await work(db);
    expect((await payoutsOf(friendId)).map(({ state }) => state)).toEqual(["failed", "requested"]);
    await decideHold(db, { ...(await openHoldOf(referralId)), decision: "lifted" });
    expect(await bonusesOf(db, referralId)).toEqual(both("payable"));
    expect((await payoutsOf(friendId)).map(({ state }) => state)).toEqual(["failed", "requested"]);
    expect(await payableOf(friendId)).toBe(FRIEND_PENCE);
    expect(await faultsOf(db)).toEqual([]);
  });

  test("C8 C6 a batch that is made at the same time has the bonus, or the hold has it, never both", async () => {
    const early = await withRequested();
    let waiting: ReturnType<typeof batchNow> | undefined;
    await db.transaction().execute(async (trx) => {
      await lockMember(trx, { memberId: early.friendId });
      await trx.deleteFrom("bank_details").where("member_id", "=", early.friendId).execute();
      await giveDetails(trx as unknown as typeof db, early.friend);
      await holdForBankDetails(trx, { memberId: early.friendId, now: LATER });
      waiting = batchNow();
      await untilWaiting(db);
    });
    await waiting;
    expect(await bonusesOf(db, early.referralId)).toMatchObject({ friend: "held" });
    expect(await payoutsOf(early.friendId)).toMatchObject([{ state: "failed" }]);

    const late = await withRequested();
    const { publicId } = await referralOf(late.referralId);
    let started: [ReturnType<typeof batchNow>, ReturnType<typeof holdReferral>] | undefined;
    await db.transaction().execute(async (trx) => {
      await lockMember(trx, { memberId: late.friendId });
      const batch = batchNow();
      await untilWaiting(db);
      started = [batch, holdReferral(db, { publicId, by: "op", keys, now: LATER })];
      await untilWaiting(db, 2);
    });
    await Promise.all(started!);
    expect(await bonusesOf(db, late.referralId)).toEqual({ friend: "payable", inviter: "held" });
    expect(await payoutsOf(late.friendId)).toMatchObject([{ state: "processing" }]);
    expect(await faultsOf(db)).toEqual([]);
  });

  test("C8 what is on its way to the bank is not taken back on a suspicion, and an operator can hold by hand", async () => {
    const club = await newClub();
    const { referralId, friend } = await invite(db, club);
    await report(db, friend, approved);
    await work(db);
    await giveDetails(db, club, { of: OTHER_ACCOUNT });
    await requestPayout(db, { brandId: club.brandId, memberId: club.memberId, sessionId: null, now: MONDAY });
    await batchNow();
    const { publicId } = await referralOf(referralId);
    expect(await holdReferral(db, { publicId, by: "op", keys, now: LATER })).toBe("held");
    expect(await bonusesOf(db, referralId)).toEqual({ friend: "held", inviter: "payable" });
    expect(await payoutsOf(club.memberId)).toMatchObject([{ state: "processing" }]);
    const [listed] = await listReferrals(db, { which: { of: publicId } });
    expect(listed?.holds).toMatchObject([{ reasons: ["operator"], placedBy: "op" }]);
    expect(await holdReferral(db, { publicId: "nothing", by: "op", keys, now: LATER })).toBe("unknown");
    expect(await faultsOf(db)).toEqual([]);
  });

  /** The inviter's bonus of £7.00 is paid to their account, and their referral is held then. */
  async function withPaidBonus() {
    const club = await newClub();
    const { referralId, friend } = await invite(db, club);
    await report(db, friend, approved);
    await work(db);
    await giveDetails(db, club, { of: OTHER_ACCOUNT });
    await requestPayout(db, { brandId: club.brandId, memberId: club.memberId, sessionId: null, now: MONDAY });
    const { batchNumber } = await makeApprovedBatch(db, { method, bankKeys, payeeKeys, by: "a test", now: MONDAY });
    await confirmBatch(db, { batchNumber: batchNumber!, bankKeys, by: "a test", now: WEDNESDAY });
    await holdReferral(db, { ...(await referralOf(referralId)), by: "op", keys, now: LATER });
    expect(await bonusesOf(db, referralId)).toEqual({ friend: "held", inviter: "payable" });
    return { club, referralId, friend };
  }

  test("C8 C6 a bonus that was paid is not taken out of cashback that comes later, on a hold or a refusal", async () => {
    const { club, referralId, friend } = await withPaidBonus();
    await earn(db, club, { pounds: 200 });
    await report(db, friend, approved);
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual({ friend: "held", inviter: "payable" });
    const third = { ...account, accountNumber: "66374959" };
    expect(await giveAccount(club, club.memberId, third)).toBe("changed");
    expect(await payableOf(club.memberId)).toBe(1_200);
    await decideHold(db, { ...(await openHoldOf(referralId)), decision: "refused" });
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual({ friend: "ended", inviter: "payable" });
    expect(await payableOf(club.memberId)).toBe(1_200);
    expect(await faultsOf(db)).toEqual([]);
  });

  test("C8 C6 a bonus that was paid and came back is held, whatever else has come in", async () => {
    const { club, referralId } = await withPaidBonus();
    await earn(db, club, { pounds: 200 });
    const [payout] = await payoutsOf(club.memberId);
    const { bank_reference: reference, amount_pence: amountPence } = payout!;
    const failures = [{ reference, amountPence, reason: "account_closed", said: "B" } as const];
    await applyFailures(db, { failures, now: WEDNESDAY });
    await work(db);
    expect(await bonusesOf(db, referralId)).toEqual(both("held"));
    expect(await payableOf(club.memberId)).toBe(1_200);
    expect(await faultsOf(db)).toEqual([]);
  });

  test.each([
    ["left a part of the bonus has taken it", 1_000, "payable", 1_500],
    ["left as much as the bonus has not taken it", 600, "held", 1_200],
  ])("C8 C6 a gift card out of cashback that %s", async (_, amountPence, inviter, payablePence) => {
    const club = await newClub();
    const { brandId, memberId } = club;
    const { referralId, friend } = await invite(db, club);
    await report(db, friend, approved);
    await work(db);
    await earn(db, club);
    const card = { brandId, memberId, closureId: null, method: "gift-card", by: "member", now: MONDAY } as const;
    await db.transaction().execute((trx) => insertPayout(trx, { ...card, amountPence, entryIds: [] }));
    await earn(db, club, { pounds: 200 });
    await holdReferral(db, { ...(await referralOf(referralId)), by: "op", keys, now: LATER });
    expect(await bonusesOf(db, referralId)).toEqual({ friend: "held", inviter });
    expect(await payableOf(memberId)).toBe(payablePence);
  });

  test("C8 C6 what was in a batch when its referral was held is held when it comes back, and ends if it was refused", async () => {
    const hold = async (referralId: string | undefined) =>
      holdReferral(db, { ...(await referralOf(referralId)), by: "op", keys, now: LATER });
    const rejected = await withRequested();
    const { batchNumber: first } = await batchNow();
    await hold(rejected.referralId);
    await work(db);
    expect(await bonusesOf(db, rejected.referralId)).toEqual({ friend: "payable", inviter: "held" });
    await rejectBatch(db, { batchNumber: first!, by: "op", because: "the wrong day", now: MONDAY });
    await work(db);
    expect(await bonusesOf(db, rejected.referralId)).toEqual(both("held"));
    expect(await payoutsOf(rejected.friendId)).toMatchObject([{ state: "failed", reason: "bonus_held" }]);

    const returned = await withRequested();
    const { batchNumber } = await makeApprovedBatch(db, { method, bankKeys, payeeKeys, by: "a test", now: MONDAY });
    await hold(returned.referralId);
    await decideHold(db, { ...(await openHoldOf(returned.referralId)), decision: "refused" });
    await confirmBatch(db, { batchNumber: batchNumber!, bankKeys, by: "a test", now: WEDNESDAY });
    await work(db);
    expect(await bonusesOf(db, returned.referralId)).toEqual({ friend: "payable", inviter: "ended" });
    const [payout] = await payoutsOf(returned.friendId);
    const { bank_reference: reference, amount_pence: amountPence } = payout!;
    const failures = [{ reference, amountPence, reason: "account_closed", said: "B" } as const];
    expect(await applyFailures(db, { failures, now: WEDNESDAY })).toMatchObject([{ outcome: "returned" }]);
    await work(db);
    expect(await bonusesOf(db, returned.referralId)).toEqual(both("ended"));
    expect(await payableOf(returned.friendId)).toBe(600);
    expect(await faultsOf(db)).toEqual([]);
  });
});

describe("C8 chains of invitations", () => {
  const second = (count: number) => new Date(JOINED.getTime() + count * 1_000);

  /** Each invites the next one. `give` makes the marks of the person at this place; the inviter at the top has place 0. */
  async function chainOf(
    club: ClubForTests,
    length: number,
    give: (place: number) => { browserMark?: Buffer; email?: string; of?: typeof account },
  ) {
    const { browserMark, email, of } = give(0);
    if (email || browserMark)
      await rememberMarks(db, {
        ...club,
        marks: { browser: browserMark ?? null, mailbox: markOfMailbox(email ?? "top@inviter.example", secret) },
        now: JOINED,
      });
    if (of) await giveDetails(db, club, { of });
    const chain = [];
    for (let place = 1; place <= length; place += 1) {
      const inviterId = chain.at(-1)?.friendId ?? club.memberId;
      const { of: own, ...marks } = give(place);
      const invited = await invite(db, club, { inviterId, now: second(place), ...marks });
      if (own) await giveDetails(db, invited.friend, { of: own });
      await report(db, invited.friend, approved);
      chain.push(invited);
    }
    await work(db);
    return chain;
  }

  const reasonsOf = async (chain: { referralId: string | undefined }[]) =>
    Promise.all(chain.map(async ({ referralId }) => (await holdsOf(referralId)).flatMap(({ reasons }) => reasons)));

  test.each([
    ["browsers", "same_device", (own) => ({ browserMark: markOfBrowser(`${own}`, secret) })],
    ["mailboxes", "same_address", (own, place) => ({ email: `box${own}+${place}@chain.example` })],
    ["bank accounts", "same_bank_details", (own) => ({ of: own === 0 ? account : OTHER_ACCOUNT })],
  ] satisfies [
    string,
    string,
    (own: number, place: number) => Parameters<typeof chainOf>[2] extends (place: number) => infer M ? M : never,
  ][])(
    "C8 who invites themselves again and again with two %s is held from the third account on",
    async (_, reason, marks) => {
      const club = await newClub();
      const chain = await chainOf(club, 5, (place) => marks(place % 2, place));
      expect(await reasonsOf(chain)).toEqual([[], [reason], [reason], [reason], [reason]]);
      expect(await Promise.all(chain.map(({ referralId }) => bonusesOf(db, referralId)))).toEqual(
        ["payable", "held", "held", "held", "held"].map(both),
      );
      expect(await payableOf(club.memberId)).toBe(INVITER_PENCE);
      expect(await faultsOf(db)).toEqual([]);
    },
  );

  test("C8 a friend is compared with ten inviters above and with none beyond", async () => {
    const mark = (name: string) => ({ browserMark: markOfBrowser(name, secret) });
    const at = async (shared: number) => {
      const chain = await chainOf(await newClub(), 11, (place) =>
        mark(place === shared || place === 11 ? "the same" : `own ${place}`),
      );
      return (await reasonsOf(chain)).at(-1);
    };
    expect(await at(1)).toEqual(["same_device"]);
    expect(await at(0)).toEqual([]);
  });

  test("C8 a friend is compared with those whom somebody above invited before, not with later ones, and not with their friends", async () => {
    const club = await newClub();
    const mark = (name: string) => ({ browserMark: markOfBrowser(name, secret) });
    const before = await invite(db, club, { ...mark("before"), now: second(1) });
    const inviter = await invite(db, club, { ...mark("inviter"), now: second(2) });
    const { friendId: inviterId } = inviter;
    const like = (name: string) => invite(db, club, { inviterId, ...mark(name), now: second(3) });
    const [likeBefore, likeAfter, likeCousin] = [await like("before"), await like("after"), await like("cousin")];
    const after = await invite(db, club, { ...mark("after"), now: second(4) });
    const cousin = await invite(db, club, { inviterId: before.friendId, ...mark("cousin"), now: second(2) });
    const all = [before, inviter, likeBefore, likeAfter, likeCousin, after, cousin];
    for (const { friend } of all) await report(db, friend, approved);
    await work(db);
    expect(await reasonsOf(all)).toEqual([[], [], ["same_device"], [], [], [], []]);
  });

  test("C8 an account that somebody above gives later holds the friend who has it too", async () => {
    const club = await newClub();
    const chain = await chainOf(club, 3, (place) => (place === 3 ? { of: account } : {}));
    expect(await reasonsOf(chain)).toEqual([[], [], []]);
    expect(await giveAccount(club, club.memberId)).toBe("changed");
    await work(db);
    expect(await reasonsOf(chain)).toEqual([[], [], ["same_bank_details"]]);
    expect(await bonusesOf(db, chain[2]?.referralId)).toEqual(both("held"));
  });

  test("C8 the yearly maximum counts each inviter's own bonuses: a chain of different people earns all of them", async () => {
    const club = await newClub({ maxPerYear: 1 });
    const chain = await chainOf(club, 4, () => ({}));
    expect(await Promise.all(chain.map(({ referralId }) => bonusesOf(db, referralId)))).toEqual(
      Array(4).fill(both("payable")),
    );
  });
});

describe("C8 attacks on invitations", () => {
  test("C8 nobody invites themselves, neither by their account nor by another address of their mailbox", async () => {
    const club = await newClub();
    await db
      .updateTable("members")
      .set({ email: `me${clubs}@mail.example` })
      .where("id", "=", club.memberId)
      .execute();
    expect(
      (await invite(db, club, { email: `Me${clubs}+second@mail.example`.toLowerCase() })).referralId,
    ).toBeUndefined();
    const own = db
      .insertInto("referrals")
      .values({
        id: club.memberId,
        brand_id: club.brandId,
        programme_id: (await findProgramme(db, { ...club, now: LATER }))!.id,
        inviter_id: club.memberId,
        member_id: club.memberId,
        registered_at: JOINED,
        qualify_until: LATER,
      })
      .execute();
    await expect(own).rejects.toThrow("referrals_check");
  });

  test("C8 another brand's inviter, one who has left and one who is suspended bring nothing", async () => {
    const club = await newClub();
    const foreign = await newClub();
    expect((await invite(db, club, { inviterId: foreign.memberId })).referralId).toBeUndefined();
    const { id: suspended } = await insertVerifiedMember(db, { brandId: club.brandId, suspendedAt: JOINED });
    expect((await invite(db, club, { inviterId: suspended })).referralId).toBeUndefined();
    const { id: left } = await insertVerifiedMember(db, { brandId: club.brandId });
    const { code } = await findOwnCode(db, { brandId: club.brandId, memberId: left, now: JOINED });
    expect(await findInvitation(db, { brandId: club.brandId, code, now: LATER })).toMatchObject({ inviterId: left });
    expect(await findInvitation(db, { brandId: foreign.brandId, code, now: LATER })).toBeNull();
    await db.transaction().execute((trx) => erasePersonalData(trx, { memberId: left, now: LATER }));
    expect(await findInvitation(db, { brandId: club.brandId, code, now: LATER })).toBeNull();
  });

  test("C8 a link says nothing about its owner unless they agree, and a replaced one leads nowhere", async () => {
    const club = await newClub();
    await db.updateTable("members").set({ name: "Ada Lovelace" }).where("id", "=", club.memberId).execute();
    const own = { brandId: club.brandId, memberId: club.memberId, now: LATER };
    const codes = await Promise.all(Array.from({ length: 20 }, () => findOwnCode(db, own)));
    const [{ code }] = codes as [(typeof codes)[0]];
    expect(new Set(codes.map((one) => one.code)).size).toBe(1);
    const find = (wanted: string) => findInvitation(db, { brandId: club.brandId, code: wanted, now: LATER });
    expect(await find(code)).toMatchObject({ inviterName: null });
    await showFirstName(db, { ...own, isShown: true });
    expect(await find(code.toUpperCase())).toMatchObject({ inviterName: "Ada" });
    await replaceCode(db, own);
    expect(await find(code)).toBeNull();
    expect((await findOwnCode(db, own)).code).not.toBe(code);
  });
});
