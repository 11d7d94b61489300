import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { HOLD_MS } from "../bank-details/bank-account.ts";
import type { ClubForTests } from "../cashback/cashback.testing.ts";
import { makeBatch } from "../payouts/batch.server.ts";
import {
  account,
  bankKeys,
  earn,
  faultsOf,
  giveDetails,
  makePayingClub,
  method,
  MONDAY,
  payeeKeys,
  signIn,
} from "../payouts/payouts.testing.ts";
import { advanceClosures, payClosure } from "./close-member.server.ts";
import { disownBankDetails } from "./disown-bank-details.server.ts";
import { changePayee, requestClosure } from "./operations.server.ts";
import { findClosureView, listOpenClosures } from "./queries.server.ts";
import { closureDays, daysAfter } from "./rules.ts";

// Another account for a last payout (M5, C6).

const { db } = await testDatabase();
const other = { name: "Ada Lovelace", sortCode: "200000", accountNumber: "55779911" };
const until = new Date(MONDAY.getTime() + HOLD_MS);
const justBefore = new Date(until.getTime() - 1);
let clubs = 0;

/** A member who leaves, and whose £6.00 wait to be paid out; `isDue` false: they can still cancel. */
async function leaving({ isDue = true } = {}) {
  const club = await makePayingClub(db, { networkSlug: `payee-${(clubs += 1)}` });
  await earn(db, club);
  const { brandId, memberId } = club;
  const choices = { pendingChoice: "wait", payableChoice: "pay-out" } as const;
  const asked = daysAfter(MONDAY, -closureDays.cancel + (isDue ? 0 : 1));
  await requestClosure(db, { brandId, memberId, ...choices, payee: account, keys: payeeKeys, now: asked });
  await advanceClosures(db, { now: MONDAY });
  expect((await closureOf(club)).state).toBe(isDue ? "awaiting_payout" : "requested");
  return club;
}

const change = async (club: ClubForTests, payee = other) =>
  changePayee(db, {
    ...{ brandId: club.brandId, memberId: club.memberId, sessionId: await signIn(db, club) },
    ...{ payee, keys: payeeKeys, now: MONDAY },
  });
const batch = (now: Date) => makeBatch(db, { method, bankKeys, payeeKeys, by: "an operator", now });
const pay = async (club: ClubForTests, now: Date) =>
  payClosure(db, {
    ...{ publicId: (await closureOf(club)).public_id, amountPence: 600, accountEnding: () => "9911" },
    ...{ by: "an operator", now },
  });
const closureOf = ({ memberId }: ClubForTests) =>
  db.selectFrom("closures").selectAll().where("member_id", "=", memberId).executeTakeFirstOrThrow();
const viewOf = async ({ memberId }: ClubForTests, now: Date) =>
  (await findClosureView(db, { memberId, keys: payeeKeys, now })).open;
const mailsOf = async ({ memberId }: ClubForTests) =>
  (
    await db.selectFrom("mails").select(["kind", "data"]).where("member_id", "=", memberId).orderBy("id").execute()
  ).slice(1);
const tokenOf = async (club: ClubForTests) => {
  const [mail] = await mailsOf(club);
  const path = (mail?.data as { path?: string } | undefined)?.path ?? "";
  return new URLSearchParams(path.split("?")[1]).get("token") ?? "";
};

test("M5 C6 nothing is paid to a changed account for 72 hours, by batch or by hand, and a mail tells the member", async () => {
  const club = await leaving();
  expect(await change(club)).toBe("changed");
  expect(await mailsOf(club)).toMatchObject([
    { kind: "bank-details-changed", data: { accountEnding: "9911", usableFrom: until.toISOString() } },
  ]);
  expect(JSON.stringify(await mailsOf(club))).not.toContain(other.accountNumber);
  expect(await viewOf(club, justBefore)).toMatchObject({ accountEnding: "9911", heldUntil: until });
  expect(await listOpenClosures(db, { keys: payeeKeys })).toMatchObject([{ payeeUsableFrom: until }]);
  expect(await batch(justBefore)).toMatchObject({
    batchNumber: null,
    skipped: [{ because: `The bank details were changed: held until ${until.toISOString()}.` }],
  });
  expect(await pay(club, justBefore)).toEqual({ outcome: "held", until });
  expect(await viewOf(club, until)).toMatchObject({ heldUntil: null });
  expect(await batch(until)).toMatchObject({ payouts: 1, totalPence: 600, skipped: [] });
  expect(await faultsOf(db)).toEqual([]);
});

test("M5 C6 an account that is changed before the account can close is held as long, and is then paid by hand", async () => {
  const club = await leaving({ isDue: false });
  expect(await change(club)).toBe("changed");
  await advanceClosures(db, { now: daysAfter(MONDAY, 1) });
  expect((await closureOf(club)).state).toBe("awaiting_payout");
  expect(await pay(club, justBefore)).toEqual({ outcome: "held", until });
  expect(await pay(club, until)).toMatchObject({ outcome: "paid", paidPence: 600, isClosed: true });
  expect(await faultsOf(db)).toEqual([]);
});

test("M5 C6 the account that is there already changes nothing, and a session that has ended changes nothing", async () => {
  const club = await leaving();
  expect(await change(club, account)).toBe("same");
  const { brandId, memberId } = club;
  const over = { brandId, memberId, sessionId: memberId, payee: other, keys: payeeKeys, now: MONDAY };
  expect(await changePayee(db, over)).toBe("signed-out");
  expect(await mailsOf(club)).toEqual([]);
  expect(await viewOf(club, MONDAY)).toMatchObject({ accountEnding: "4958", heldUntil: null });
  expect(await change(club, { ...account, name: "Somebody Else" }), "another name is a change").toBe("changed");
});

test("M5 C6 “This was not me” removes the account of a last payout with the other bank details, once, and asks for another", async () => {
  const club = await leaving();
  await giveDetails(db, club);
  await change(club);
  const { brandId, memberId } = club;
  const token = await tokenOf(club);
  const follow = () => disownBankDetails(db, { brandId, token, now: MONDAY });
  expect((await Promise.all([follow(), follow()])).toSorted()).toEqual([false, true]);
  expect(await closureOf(club)).toMatchObject({ state: "awaiting_payout", payee: null });
  expect(await db.selectFrom("bank_details").selectAll().where("member_id", "=", memberId).execute()).toEqual([]);
  expect((await mailsOf(club)).map(({ kind }) => kind)).toEqual(["bank-details-changed", "closure-bank-details"]);
  expect(await pay(club, until)).toEqual({ outcome: "no-payee" });
  expect(await viewOf(club, MONDAY)).toMatchObject({ accountEnding: null, heldUntil: null });
});

test("M5 C6 “This was not me” before the account can close removes the account of the last payout and asks nothing yet", async () => {
  const club = await leaving({ isDue: false });
  await change(club);
  expect(await disownBankDetails(db, { brandId: club.brandId, token: await tokenOf(club), now: MONDAY })).toBe(true);
  expect(await closureOf(club)).toMatchObject({ state: "requested", payee: null });
  expect((await mailsOf(club)).map(({ kind }) => kind)).toEqual(["bank-details-changed"]);
});
