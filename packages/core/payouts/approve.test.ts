import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { joinTransaction } from "../audit/join-transaction.server.ts";
import { advanceClosures } from "../closures/close-member.server.ts";
import { HOLD_MS } from "../bank-details/bank-account.ts";
import { changePayee, requestClosure } from "../closures/operations.server.ts";
import { closureDays, daysAfter } from "../closures/rules.ts";
import { findMemberBalances } from "../ledger/balances.server.ts";
import { findListPage } from "../lists/find-list-page.server.ts";
import { approveBatch, cancelBatch, rejectBatch } from "./approve.server.ts";
import { batchFiles } from "./batch-files.server.ts";
import { makeBatch } from "./batch.server.ts";
import { confirmBatch } from "./confirm.server.ts";
import { findPayoutInBatch, heldInBatch, placeHold } from "./holds.server.ts";
import { findBatch } from "./list-batches.server.ts";
import { findPayoutRecord, findPayoutSums, payoutList, type ListedPayout } from "./list-payouts.server.ts";
import { lockMember } from "../members/lock-member.server.ts";
import { requestPayout } from "./operations.server.ts";
import {
  account,
  bankKeys,
  downloadFiles,
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
import { findWithdrawals } from "./queries.server.ts";
import { applyReport, findReport, readReport } from "./reports.server.ts";

const { db } = await testDatabase();
let clubs = 0;
const parts = { method, bankKeys, payeeKeys, by: "first", now: MONDAY };

/** A member with £6.00 to withdraw. */
async function makeClub() {
  const club = await makePayingClub(db, { networkSlug: `approval-${(clubs += 1)}` });
  await earn(db, club);
  await giveDetails(db, club);
  return club;
}

/** A member who has asked for £6.00. */
const asking = async () => ask(await makeClub());

async function ask(club: Awaited<ReturnType<typeof makeClub>>) {
  const asked = await requestPayout(db, { ...club, sessionId: null, now: MONDAY });
  if (asked.outcome !== "requested") throw new Error(asked.outcome);
  return { ...club, publicId: asked.publicId };
}

async function batchOf(): Promise<number> {
  return (await makeBatch(db, parts)).batchNumber ?? 0;
}

const approve = (batchNumber: number, by: string, aloneBecause: string | null = null, now = MONDAY) =>
  approveBatch(db, { batchNumber, by, aloneBecause, now });
const payoutOf = (publicId: string) =>
  db.selectFrom("payouts").selectAll().where("public_id", "=", publicId).executeTakeFirstOrThrow();
const listed = async (filters: Parameters<typeof payoutList>[0]) => {
  const state = { sort: "asked", isDescending: false, after: null, before: null, size: 100 } as const;
  const { rows } = await findListPage<ListedPayout, "asked">(db, payoutList(filters), state);
  return rows.map(({ publicId }) => publicId);
};

test("C6 nothing of a batch leaves before a second person has approved it, whoever made it", async () => {
  await asking();
  const batchNumber = await batchOf();
  expect(await batchFiles(db, { batchNumber, method, now: MONDAY })).toBe("not-approved");
  expect(await confirmBatch(db, { batchNumber, bankKeys, by: "first", now: WEDNESDAY })).toEqual({
    outcome: "not-approved",
  });
  expect(await approve(batchNumber, "first")).toEqual({ outcome: "own" });
  expect(await approve(999_999, "second")).toEqual({ outcome: "unknown" });
  expect(await approve(batchNumber, "second")).toMatchObject({ outcome: "approved", processingDay: "2026-11-24" });
  expect(await approve(batchNumber, "third")).toEqual({ outcome: "already" });
  expect(await downloadFiles(db, { batchNumber })).toHaveLength(2);
  expect(await findBatch(db, { batchNumber, bankKeys })).toMatchObject({
    state: "approved",
    approvedBy: "second",
    approvedAloneBecause: null,
    payouts: 1,
    totalPence: 600,
    largest: [{ pence: 600, isFirst: true, sharedWith: [] }],
  });
  expect(await confirmBatch(db, { batchNumber, bankKeys, by: "first", now: WEDNESDAY })).toMatchObject({ paid: 1 });
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 an operator alone approves a batch of their own with a reason, which the batch keeps", async () => {
  await asking();
  const batchNumber = await batchOf();
  expect(await approve(batchNumber, "first", "the club has one operator")).toMatchObject({ outcome: "approved" });
  expect(await findBatch(db, { batchNumber, bankKeys })).toMatchObject({
    approvedAloneBecause: "the club has one operator",
  });
});

test("C6 the database itself refuses a batch that its maker approves without a reason, and payment without approval", async () => {
  const { publicId } = await asking();
  const batchNumber = await batchOf();
  await expect(
    db
      .updateTable("payout_batches")
      .set({ approved_at: MONDAY, approved_by: "first" })
      .where("batch_number", "=", batchNumber)
      .execute(),
  ).rejects.toThrow(/four_eyes/);
  const { id, version } = await payoutOf(publicId);
  const paid = { state: "paid", paid_at: WEDNESDAY, version: version + 1 };
  await expect(db.updateTable("payouts").set(paid).where("id", "=", id).execute()).rejects.toThrow(/approved batch/);
  await approve(batchNumber, "second");
  const back = { state: "requested", batch_id: null, payee: null, processing_at: null, version: version + 1 };
  await expect(db.updateTable("payouts").set(back).where("id", "=", id).execute()).rejects.toThrow(/approved batch/);
});

test("C6 a batch that is approved after the cut-off is processed on the days of its approval", async () => {
  const { memberId } = await asking();
  const batchNumber = await batchOf();
  const shown = async () => (await findWithdrawals(db, { memberId, keys: bankKeys, now: MONDAY })).open?.entryDay;
  expect(await shown(), "members are promised no day before it is approved").toBeNull();
  const late = new Date("2026-11-23T22:31:00Z");
  expect(await approve(batchNumber, "second", null, late)).toMatchObject({
    submissionDay: "2026-11-24",
    processingDay: "2026-11-25",
    entryDay: "2026-11-26",
  });
  expect(await shown()).toBe("2026-11-26");
  expect(await confirmBatch(db, { batchNumber, bankKeys, by: "first", now: WEDNESDAY })).toMatchObject({
    outcome: "too-early",
    processingDay: "2026-11-25",
  });
});

test("C6 the payouts of a rejected batch wait again with the reason, and the next batch pays them once", async () => {
  const { publicId, memberId } = await asking();
  const batchNumber = await batchOf();
  expect(await rejectBatch(db, { batchNumber, by: "second", because: "wrong day", now: MONDAY })).toEqual({
    outcome: "rejected",
    payouts: 1,
  });
  expect(await payoutOf(publicId)).toMatchObject({
    state: "requested",
    batch_id: null,
    payee: null,
    last_error: `Batch ${batchNumber} was rejected: wrong day`,
  });
  expect(await approve(batchNumber, "second")).toEqual({ outcome: "rejected" });
  expect(await rejectBatch(db, { batchNumber, by: "second", because: "again", now: MONDAY })).toEqual({
    outcome: "already",
  });
  expect(await listed({ state: "left-out" })).toEqual([publicId]);
  expect(await findMemberBalances(db, { memberId })).toMatchObject({ member_in_transit: 600, member_payable: 0 });
  const next = await makeApprovedBatch(db, parts);
  expect(next).toMatchObject({ payouts: 1 });
  expect(await rejectBatch(db, { batchNumber: next.batchNumber!, by: "x", because: "late", now: MONDAY })).toEqual({
    outcome: "approved",
  });
  await confirmBatch(db, { batchNumber: next.batchNumber!, bankKeys, by: "first", now: WEDNESDAY });
  expect(await findMemberBalances(db, { memberId })).toMatchObject({ member_in_transit: 0, member_paid: 600 });
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 a batch that is made or rejected waits for whoever has locked its members, and never deadlocks with them", async () => {
  const [low, high] = (await Promise.all([makeClub(), makeClub()])).toSorted((a, b) =>
    a.memberId < b.memberId ? -1 : 1,
  );
  // The member with the higher id asks first.
  for (const club of [high!, low!]) await ask(club);
  /** Does something while another transaction locks both members in the order of their ids. */
  async function beside<Result>(work: () => Promise<Result>): Promise<Result> {
    const other = await db.startTransaction().execute();
    await lockMember(other, low!);
    const working = work();
    await untilWaiting(db);
    await lockMember(other, high!);
    await other.commit().execute();
    return working;
  }
  const { batchNumber, payouts } = await beside(() => makeBatch(db, parts));
  expect(payouts).toBe(2);
  const reject = () => rejectBatch(db, { batchNumber: batchNumber!, by: "second", because: "a test", now: MONDAY });
  expect(await beside(reject)).toEqual({ outcome: "rejected", payouts: 2 });
  const next = await makeApprovedBatch(db, parts);
  expect(next.payouts).toBe(2);
  await confirmBatch(db, { batchNumber: next.batchNumber!, bankKeys, by: "first", now: WEDNESDAY });
});

test("C6 M5 the last payout of a member who leaves is made anew after a rejection, to the same account", async () => {
  const leaving = await makePayingClub(db, { networkSlug: "approval-leaving" });
  await earn(db, leaving);
  const { brandId, memberId } = leaving;
  const choices = { pendingChoice: "wait", payableChoice: "pay-out" } as const;
  const asked = daysAfter(MONDAY, -closureDays.cancel);
  await requestClosure(db, { brandId, memberId, ...choices, payee: account, keys: payeeKeys, now: asked });
  await advanceClosures(db, { now: MONDAY });
  const mails = () => db.selectFrom("mails").select("kind").where("member_id", "=", memberId).execute();
  const before = await mails();
  await rejectBatch(db, { batchNumber: await batchOf(), by: "second", because: "wrong day", now: MONDAY });
  expect(await mails(), "nobody is told").toEqual(before);
  expect(await makeApprovedBatch(db, parts)).toMatchObject({ payouts: 1, totalPence: 600 });
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 M5 an approval takes out the last payout of a member who has given another account since", async () => {
  const leaving = await makePayingClub(db, { networkSlug: "approval-moved" });
  await earn(db, leaving);
  const { brandId, memberId } = leaving;
  const choices = { pendingChoice: "wait", payableChoice: "pay-out" } as const;
  const asked = daysAfter(MONDAY, -closureDays.cancel);
  await requestClosure(db, { brandId, memberId, ...choices, payee: account, keys: payeeKeys, now: asked });
  await advanceClosures(db, { now: MONDAY });
  const batchNumber = await batchOf();
  const payee = { ...account, accountNumber: "55779911" };
  const sessionId = await signIn(db, leaving);
  expect(await changePayee(db, { brandId, memberId, sessionId, payee, keys: payeeKeys, now: MONDAY })).toBe("changed");
  // Also after the wait: what is in the batch would go to the account before.
  const later = new Date(MONDAY.getTime() + HOLD_MS);
  expect(await approve(batchNumber, "second", null, later)).toMatchObject({
    outcome: "emptied",
    leftOut: [{ because: "The bank details were changed since the batch was made." }],
  });
  expect(await makeApprovedBatch(db, { ...parts, now: later })).toMatchObject({ payouts: 1, totalPence: 600 });
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 approval and rejection at the same moment: one of them counts", async () => {
  await asking();
  const batchNumber = await batchOf();
  const outcomes = await Promise.all([
    approve(batchNumber, "second"),
    rejectBatch(db, { batchNumber, by: "third", because: "not today", now: MONDAY }),
  ]);
  const [one, other] = outcomes.map(({ outcome }) => outcome);
  expect([
    ["approved", "approved"],
    ["rejected", "rejected"],
  ]).toContainEqual([one, other]);
});

test("A3 payouts are listed by state, member, reference and batch, and one has its hold, purchases and movements", async () => {
  const { publicId, memberId } = await asking();
  const { member_number: memberNumber } = await db
    .selectFrom("members")
    .select("member_number")
    .where("id", "=", memberId)
    .executeTakeFirstOrThrow();
  await placeHold(db, { memberNumber, reason: "one card, ten accounts", by: "first", now: MONDAY });
  const { bank_reference: reference } = await payoutOf(publicId);
  expect(await listed({ state: "held" })).toEqual([publicId]);
  expect(await listed({ q: memberNumber.toLowerCase() })).toEqual([publicId]);
  expect(await listed({ q: reference })).toEqual([publicId]);
  expect(await listed({ q: publicId, state: "requested" })).toEqual([publicId]);
  expect(await listed({ q: publicId, state: "paid" })).toEqual([]);
  expect(await listed({ batch: "999999" })).toEqual([]);
  expect(await listed({ batch: "x" })).toEqual([]);
  expect(await findPayoutSums(db)).toMatchObject({ held: 1 });
  expect(await findPayoutRecord(db, { publicId })).toMatchObject({
    state: "requested",
    isHeld: true,
    hold: { reason: "one card, ten accounts", placedBy: "first" },
    purchases: [{ cashbackPence: 600, state: "payable" }],
    transfers: [{ kind: "payout_requested" }],
  });
  expect(await findPayoutRecord(db, { publicId: "no-such" })).toBeNull();
});

test("C6 a report of the bank is read without being applied, shows what it would do, and is applied once", async () => {
  const { publicId, memberId } = await asking();
  const { batchNumber } = await makeApprovedBatch(db, parts);
  const { bank_reference: reference } = await payoutOf(publicId);
  const text = `reference,amount,code\n${reference},6.00,B\n${reference},6.00,B\n${reference},5.99,B\nFPNOSUCHREFX,1.00,0\n`;
  const read = { method, fileName: "monday.csv", text, by: "first", now: WEDNESDAY };
  const report = await readReport(db, read);
  expect(report.isNew).toBe(true);
  expect(await readReport(db, read), "the same file").toEqual({ ...report, isNew: false });
  const outcomes = async () =>
    (await findReport(db, { ...report, now: WEDNESDAY }))?.lines.map(({ outcome }) => outcome);
  const expected = ["failed", "already", "other-amount", "unknown"];
  expect(await outcomes()).toEqual(expected);
  expect(await payoutOf(publicId), "nothing was applied").toMatchObject({ state: "processing" });
  const done = await applyReport(db, { ...report, by: "second", now: WEDNESDAY });
  expect(done.outcome === "applied" && done.applied.map(({ outcome }) => outcome)).toEqual(expected);
  expect(await outcomes(), "what was done stays").toEqual(expected);
  expect(await findReport(db, { ...report, now: WEDNESDAY })).toMatchObject({
    appliedBy: "second",
    lines: [{ payout: { publicId, memberId } }, {}, {}, {}],
  });
  expect(await applyReport(db, { ...report, by: "second", now: WEDNESDAY })).toEqual({ outcome: "already" });
  expect(await applyReport(db, { publicId: "no-such", by: "x", now: WEDNESDAY })).toEqual({ outcome: "unknown" });
  expect(await payoutOf(publicId)).toMatchObject({ state: "failed", reason: "account_closed" });
  expect(batchNumber).not.toBeNull();
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 of operators who apply a report at once, one does, and the others are told", async () => {
  const { publicId } = await asking();
  await makeApprovedBatch(db, parts);
  const { bank_reference: reference } = await payoutOf(publicId);
  const text = `reference,amount,code\n${reference},6.00,B\n`;
  const report = await readReport(db, { method, fileName: "twice.csv", text, by: "first", now: WEDNESDAY });
  const { id } = await db
    .selectFrom("payouts")
    .select("id")
    .where("public_id", "=", publicId)
    .executeTakeFirstOrThrow();
  // Somebody has the payout, so that the first stays in the middle.
  const other = await db.startTransaction().execute();
  await sql`select from payouts where id = ${id} for update`.execute(other);
  const first = applyReport(db, { ...report, by: "first", now: WEDNESDAY });
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const untilWaiting = (isTold = () => false) =>
    vi.waitUntil(async () => isTold() || (await waiting.execute(db)).rows.length > (second ? 1 : 0), {
      timeout: 20_000,
      interval: 5,
    });
  let second: Promise<unknown> | null = null;
  await untilWaiting();
  let told: unknown = null;
  second = applyReport(db, { ...report, by: "second", now: WEDNESDAY }).then((result) => (told = result));
  try {
    await untilWaiting(() => told !== null);
  } finally {
    await other.rollback().execute();
  }
  await second;
  expect(told).toEqual({ outcome: "running" });
  expect(await first).toMatchObject({ outcome: "applied", applied: [{ outcome: "failed" }] });
  expect(await findReport(db, { ...report, now: WEDNESDAY })).toMatchObject({
    appliedBy: "first",
    lines: [{ outcome: "failed" }],
  });
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 an approved batch is cancelled before its processing day: its payouts wait, nothing of it is paid, and the next batch pays once", async () => {
  const { publicId, memberId } = await asking();
  const { batchNumber } = await makeApprovedBatch(db, parts);
  const cancel = (now: Date) =>
    cancelBatch(db, { batchNumber: batchNumber!, by: "second", because: "the wrong account pays", now });
  expect(await cancel(new Date("2026-11-24T00:00:00Z")), "the bank may have it").toEqual({ outcome: "too-late" });
  expect(await cancel(new Date("2026-11-23T23:59:59Z"))).toMatchObject({ outcome: "rejected", payouts: 1 });
  expect(await cancel(MONDAY)).toEqual({ outcome: "already" });
  expect(await payoutOf(publicId)).toMatchObject({
    state: "requested",
    batch_id: null,
    payee: null,
    last_error: `Batch ${batchNumber} was cancelled: the wrong account pays`,
  });
  expect(await findBatch(db, { batchNumber: batchNumber!, bankKeys })).toMatchObject({
    state: "cancelled",
    cancelledBy: "second",
    cancelledBecause: "the wrong account pays",
    payouts: 0,
  });
  expect(await batchFiles(db, { batchNumber: batchNumber!, method, now: MONDAY })).toBe("cancelled");
  expect(await approve(batchNumber!, "second"), "approved once, and cancelled since").toEqual({ outcome: "cancelled" });
  expect(await confirmBatch(db, { batchNumber: batchNumber!, bankKeys, by: "first", now: WEDNESDAY })).toEqual({
    outcome: "cancelled",
  });
  const next = await makeApprovedBatch(db, parts);
  expect(next).toMatchObject({ payouts: 1 });
  await confirmBatch(db, { batchNumber: next.batchNumber!, bankKeys, by: "first", now: WEDNESDAY });
  expect(await findMemberBalances(db, { memberId })).toMatchObject({ member_in_transit: 0, member_paid: 600 });
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 a batch whose file nobody has had is cancelled on any day and never confirmed: its payouts wait, and the next batch pays once", async () => {
  const { publicId, memberId } = await asking();
  const batchNumber = await batchOf();
  await approve(batchNumber, "second");
  const tuesday = new Date("2026-11-24T09:00:00Z");
  expect(await batchFiles(db, { batchNumber, method, now: tuesday }), "the bank refuses a past day").toBe("too-late");
  const confirm = () => confirmBatch(db, { batchNumber, bankKeys, by: "first", now: WEDNESDAY });
  expect(await confirm()).toEqual({ outcome: "never-downloaded" });
  expect(await payoutOf(publicId)).toMatchObject({ state: "processing" });
  const cancel = { batchNumber, by: "second", because: "nobody sent it", now: tuesday };
  expect(await cancelBatch(db, cancel)).toEqual({ outcome: "rejected", payouts: 1 });
  expect(await confirm()).toEqual({ outcome: "cancelled" });
  const next = await makeApprovedBatch(db, parts);
  await confirmBatch(db, { batchNumber: next.batchNumber!, bankKeys, by: "first", now: WEDNESDAY });
  expect(await findMemberBalances(db, { memberId })).toMatchObject({ member_in_transit: 0, member_paid: 600 });
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 a batch whose file was downloaded before its day is given again afterwards, and can't be cancelled then", async () => {
  await asking();
  const batchNumber = await batchOf();
  await approve(batchNumber, "second");
  const files = await downloadFiles(db, { batchNumber });
  expect(await batchFiles(db, { batchNumber, method, now: WEDNESDAY })).toEqual(files);
  const cancel = { batchNumber, by: "second", because: "too late", now: WEDNESDAY };
  expect(await cancelBatch(db, cancel)).toEqual({ outcome: "too-late" });
  expect(await confirmBatch(db, { batchNumber, bankKeys, by: "first", now: WEDNESDAY })).toMatchObject({ paid: 1 });
});

test("C6 a cancellation waits for a download under way, and then comes too late", async () => {
  await asking();
  const batchNumber = await batchOf();
  await approve(batchNumber, "second");
  const download = await db.startTransaction().execute();
  expect(await downloadFiles(joinTransaction(download), { batchNumber })).toHaveLength(2);
  const cancel = { batchNumber, by: "second", because: "nobody sent it", now: new Date("2026-11-24T00:00:00Z") };
  const cancelling = cancelBatch(db, cancel);
  await untilWaiting(db);
  await download.commit().execute();
  expect(await cancelling).toEqual({ outcome: "too-late" });
  expect(await confirmBatch(db, { batchNumber, bankKeys, by: "first", now: WEDNESDAY })).toMatchObject({ paid: 1 });
});

test("C6 a batch that nobody has approved is rejected, not cancelled; the database refuses payment of a cancelled one", async () => {
  const { publicId } = await asking();
  const batchNumber = await batchOf();
  const cancel = { by: "second", because: "the wrong day", now: MONDAY };
  expect(await cancelBatch(db, { batchNumber, ...cancel })).toEqual({ outcome: "not-approved" });
  expect(await cancelBatch(db, { batchNumber: 999_999, ...cancel })).toEqual({ outcome: "unknown" });
  await approve(batchNumber, "second");
  const cancelled = { cancelled_at: MONDAY, cancelled_by: "second", cancelled_because: "the wrong day" };
  await db.updateTable("payout_batches").set(cancelled).where("batch_number", "=", batchNumber).execute();
  const { id, version } = await payoutOf(publicId);
  const paid = { state: "paid", paid_at: WEDNESDAY, version: version + 1 };
  await expect(db.updateTable("payouts").set(paid).where("id", "=", id).execute()).rejects.toThrow(/approved batch/);
  const back = { state: "requested", batch_id: null, payee: null, processing_at: null, version: version + 1 };
  await db.updateTable("payouts").set(back).where("id", "=", id).execute();
});

test("C6 a report is not applied to a payment that the bank has not processed, nor for a code that nobody knows", async () => {
  const { publicId } = await asking();
  await makeApprovedBatch(db, parts);
  const { bank_reference: reference } = await payoutOf(publicId);
  const read = (text: string) =>
    readReport(db, { method, fileName: "odd.csv", text: `reference,amount,code\n${text}\n`, by: "first", now: MONDAY });
  const report = await read(`${reference},6.00,2`);
  const outcomeAt = async (now: Date) => (await findReport(db, { ...report, now }))?.lines[0]?.outcome;
  expect(await outcomeAt(new Date("2026-11-23T23:59:59Z"))).toBe("too-early");
  expect(await outcomeAt(new Date("2026-11-24T00:00:00Z"))).toBe("failed");
  expect(await applyReport(db, { ...report, by: "first", now: MONDAY })).toMatchObject({
    applied: [{ outcome: "too-early" }],
  });
  const unknown = await read(`${reference},6.00,ZZ`);
  expect((await findReport(db, { ...unknown, now: WEDNESDAY }))?.lines).toMatchObject([
    { outcome: "unknown-code", payout: { amountPence: 600 } },
  ]);
  expect(await applyReport(db, { ...unknown, by: "first", now: WEDNESDAY })).toMatchObject({
    applied: [{ outcome: "unknown-code" }],
  });
  expect(await payoutOf(publicId)).toMatchObject({ state: "processing" });
});

test("C6 a line about a payment of a batch that nobody has approved is not applied: it was never sent", async () => {
  const { publicId } = await asking();
  await batchOf();
  const { bank_reference: reference } = await payoutOf(publicId);
  const text = `reference,amount,code\n${reference},6.00,0\n`;
  const report = await readReport(db, { method, fileName: "early.csv", text, by: "first", now: MONDAY });
  const done = await applyReport(db, { ...report, by: "first", now: MONDAY });
  expect(done).toMatchObject({ outcome: "applied", applied: [{ outcome: "not-sent" }] });
  expect(await payoutOf(publicId)).toMatchObject({ state: "processing" });
});

const memberNumberOf = async (memberId: string) =>
  (
    await db
      .selectFrom("members")
      .select("member_number as number")
      .where("id", "=", memberId)
      .executeTakeFirstOrThrow()
  ).number;

test("C6 an approval takes out members who were put on hold and whose bank details were removed or changed, and pays the rest", async () => {
  const [held, without, moved, rest] = [await asking(), await asking(), await asking(), await asking()];
  const batchNumber = await batchOf();
  const memberNumber = await memberNumberOf(held.memberId);
  await placeHold(db, { memberNumber, reason: "one card, ten accounts", by: "first", now: MONDAY });
  expect(await findPayoutInBatch(db, { memberNumber })).toEqual({ batchNumber, amountPence: 600, isApproved: false });
  await db.deleteFrom("bank_details").where("member_id", "=", without.memberId).execute();
  const soon = new Date(MONDAY.getTime() + 1);
  const changed = { changed_at: soon, usable_from: WEDNESDAY };
  await db.updateTable("bank_details").set(changed).where("member_id", "=", moved.memberId).execute();
  const approved = await approve(batchNumber, "second");
  expect(approved).toMatchObject({ outcome: "approved" });
  const leftOut = "leftOut" in approved ? approved.leftOut : [];
  expect(new Map(leftOut.map(({ publicId, because }) => [publicId, because]))).toEqual(
    new Map([
      [held.publicId, "On hold: one card, ten accounts"],
      [without.publicId, "The bank details were removed since the batch was made."],
      [moved.publicId, "The bank details were changed since the batch was made."],
    ]),
  );
  for (const { publicId } of [held, without, moved])
    expect(await payoutOf(publicId)).toMatchObject({ state: "requested", batch_id: null, payee: null });
  await downloadFiles(db, { batchNumber });
  expect(await confirmBatch(db, { batchNumber, bankKeys, by: "first", now: WEDNESDAY })).toMatchObject({ paid: 1 });
  expect(await findMemberBalances(db, rest)).toMatchObject({ member_paid: 600 });
  expect(await findMemberBalances(db, held)).toMatchObject({ member_paid: 0, member_in_transit: 600 });
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 an approval ends the payout of a member whose shop took the money back, tells them, and rejects a batch that is empty then", async () => {
  const club = await makePayingClub(db, { networkSlug: "approval-taken-back" });
  const reported = await earn(db, club);
  await giveDetails(db, club);
  const { publicId, memberId } = await ask(club);
  const batchNumber = await batchOf();
  await takeBack(db, club, reported);
  expect(await approve(batchNumber, "second")).toMatchObject({ outcome: "emptied", leftOut: [{ publicId }] });
  expect(await payoutOf(publicId)).toMatchObject({ state: "failed", reason: "balance_fell" });
  expect(await findMemberBalances(db, { memberId })).toMatchObject({ member_payable: 0, member_in_transit: 0 });
  const mails = await db.selectFrom("mails").select("kind").where("member_id", "=", memberId).execute();
  expect(mails.map(({ kind }) => kind)).toContain("payout-failed");
  expect(await findBatch(db, { batchNumber, bankKeys })).toMatchObject({ state: "rejected", payouts: 0 });
  expect(await approve(batchNumber, "second")).toEqual({ outcome: "rejected" });
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 a batch has its files without the payout that its approval has ended", async () => {
  const club = await makePayingClub(db, { networkSlug: "approval-one-taken-back" });
  const reported = await earn(db, club);
  await giveDetails(db, club);
  const [ended, rest] = [await ask(club), await asking()];
  const batchNumber = await batchOf();
  await takeBack(db, club, reported);
  expect(await approve(batchNumber, "second")).toMatchObject({
    outcome: "approved",
    leftOut: [{ publicId: ended.publicId }],
  });
  const references = [(await payoutOf(ended.publicId)).bank_reference, (await payoutOf(rest.publicId)).bank_reference];
  const files = await batchFiles(db, { batchNumber, method, now: MONDAY });
  if (!Array.isArray(files)) throw new Error(`There are no files: ${files}`);
  for (const { text } of files) expect(references.map((one) => text.includes(one))).toEqual([false, true]);
  expect(await findBatch(db, { batchNumber, bankKeys })).toMatchObject({ payouts: 1, detailsDeleted: 0 });
  await downloadFiles(db, { batchNumber });
  expect(await confirmBatch(db, { batchNumber, bankKeys, by: "first", now: WEDNESDAY })).toMatchObject({ paid: 1 });
  expect(await findMemberBalances(db, rest)).toMatchObject({ member_paid: 600 });
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 the payout of a member on hold who owes the club ends at the batch and at the approval alike", async () => {
  const owing = async (slug: string) => {
    const club = await makePayingClub(db, { networkSlug: slug });
    const reported = await earn(db, club);
    await giveDetails(db, club);
    const { publicId, memberId } = await ask(club);
    return { club, reported, publicId, memberNumber: await memberNumberOf(memberId) };
  };
  const hold = ({ memberNumber }: { memberNumber: string }) =>
    placeHold(db, { memberNumber, reason: "a stolen card", by: "first", now: MONDAY });
  const ended = { state: "failed", reason: "balance_fell" };

  const before = await owing("owing-before");
  await takeBack(db, before.club, before.reported);
  await hold(before);
  await batchOf();
  expect(await payoutOf(before.publicId)).toMatchObject(ended);

  const after = await owing("owing-after");
  const batchNumber = await batchOf();
  await takeBack(db, after.club, after.reported);
  await hold(after);
  await approve(batchNumber, "second");
  expect(await payoutOf(after.publicId)).toMatchObject(ended);
  expect(await faultsOf(db)).toEqual([]);
});

test("C6 whoever holds a member learns of a payment in an approved batch, which the hold does not stop", async () => {
  const { memberId } = await asking();
  const { batchNumber } = await makeApprovedBatch(db, parts);
  const found = await findPayoutInBatch(db, { memberNumber: await memberNumberOf(memberId) });
  expect(found).toEqual({ batchNumber, amountPence: 600, isApproved: true });
  expect(heldInBatch(found!)).toContain("Cancel the batch before the bank processes it.");
});
