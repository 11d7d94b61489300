import { randomBytes } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { makeClick, reportedSale, type ClubForTests } from "../cashback/cashback.testing.ts";
import { recordReportedTransaction } from "../cashback/operations.server.ts";
import type { ReportedTransaction } from "../networks/network-transaction.ts";
import { insertMember } from "../testing/insert-member.testing.ts";
import { recordReferral } from "../invitations/operations.server.ts";
import { startProgramme } from "../invitations/programmes.server.ts";
import { requestPayout } from "../payouts/operations.server.ts";
import { bankKeys, giveDetails, makeApprovedBatch, method, MONDAY, payeeKeys } from "../payouts/payouts.testing.ts";
import { watchReferrals } from "./watch-referrals.server.ts";

export const keys = ["a key for links in mails"] as const;
export const secret = "a key for marks that only tests know";
/** When friends join. The purchases of reportedSale are of 1 October 2026. */
export const JOINED = new Date("2026-09-20T10:00:00Z");
export const LATER = new Date("2026-11-23T10:00:00Z");

export const FRIEND_PENCE = 500;
export const INVITER_PENCE = 700;

/** Starts a programme: £5.00 for the friend, £7.00 for the inviter, for £1.00 of cashback within 90 days, ten a year. */
export function start(db: Db, brandId: string, changes: Partial<Parameters<typeof startProgramme>[1]> = {}) {
  const startsAt = new Date("2026-01-01T00:00:00Z");
  return startProgramme(db, {
    brandId,
    friendPence: FRIEND_PENCE,
    inviterPence: INVITER_PENCE,
    minCashbackPence: 100,
    withinDays: 90,
    maxPerYear: 10,
    endsAt: null,
    startsAt,
    by: "a test",
    now: startsAt,
    ...changes,
  });
}

export interface Invited {
  referralId: string | undefined;
  friendId: string;
  friend: ClubForTests;
}

/** Registers a friend of the club's member. By default their address and membership are verified. */
export async function invite(
  db: Db,
  club: ClubForTests,
  {
    email = `${randomBytes(6).toString("hex")}@friends.example`,
    browserMark = null as Buffer | null,
    inviterId = club.memberId,
    isVerified = true,
    now = JOINED,
  } = {},
): Promise<Invited> {
  const { brandId } = club;
  const friendId = (await insertMember(db, { brandId, email })).id;
  const programme = await db
    .selectFrom("referral_programmes")
    .select("id")
    .where("brand_id", "=", brandId)
    .orderBy("starts_at", "desc")
    .executeTakeFirstOrThrow();
  const type = await db.selectFrom("member_statuses").select(["id", "member_type_id"]).executeTakeFirst();
  const draftId = newId();
  await db
    .insertInto("registration_drafts")
    .values({
      id: draftId,
      brand_id: brandId,
      token_hash: draftId,
      email,
      password_hash: "a hash",
      member_type_id: type?.member_type_id ?? (await anyType(db)).typeId,
      member_status_id: type?.id ?? (await anyType(db)).statusId,
      created_at: now,
      expires_at: LATER,
      inviter_id: inviterId,
      referral_programme_id: programme.id,
      browser_mark: browserMark,
    })
    .execute();
  await db
    .transaction()
    .execute((trx) => recordReferral(trx, { brandId, memberId: friendId, email, draftId, secret, now }));
  if (isVerified) await verify(db, friendId);
  const referral = await db.selectFrom("referrals").select("id").where("member_id", "=", friendId).executeTakeFirst();
  return { referralId: referral?.id, friendId, friend: { ...club, memberId: friendId } };
}

export async function verify(db: Db, memberId: string): Promise<void> {
  await db
    .updateTable("members")
    .set({ email_verified: true, verification: "verified" })
    .where("id", "=", memberId)
    .execute();
}

async function anyType(db: Db): Promise<{ typeId: string; statusId: string }> {
  const [typeId, statusId] = [newId(), newId()];
  const slug = `type_${randomBytes(6).toString("hex")}`;
  await db.insertInto("member_types").values({ id: typeId, slug, name: "Type", position: 1 }).execute();
  await db
    .insertInto("member_statuses")
    .values({ id: statusId, member_type_id: typeId, slug: "employed", name: "Employed", position: 1 })
    .execute();
  return { typeId, statusId };
}

/** The network reports a purchase of £100.00, with £6.00 of cashback, or what `changes` says of it. */
export async function report(
  db: Db,
  friend: ClubForTests,
  changes: Partial<ReportedTransaction> & { minute?: number } = {},
): Promise<ReportedTransaction> {
  const reported = reportedSale(friend, await makeClick(db, friend), changes);
  await recordReportedTransaction(db, { networkId: friend.networkId, reported, now: LATER });
  return reported;
}

let minute = 0;

/** The network changes its mind about a purchase. */
export async function revise(
  db: Db,
  friend: ClubForTests,
  reported: ReportedTransaction,
  changes: Partial<ReportedTransaction>,
): Promise<void> {
  const at = new Date(reported.modifiedAt.getTime() + (minute += 1) * 60_000);
  await recordReportedTransaction(db, {
    networkId: friend.networkId,
    reported: { ...reported, modifiedAt: at, observedAt: at, ...changes },
    now: LATER,
  });
}

/** Invites a friend whose purchase pays both bonuses; the member's own is then withdrawn, as everything they have. */
export async function inviteAndWithdraw(db: Db, club: ClubForTests): Promise<Invited> {
  const invited = await invite(db, club);
  await report(db, invited.friend, { status: "approved", paidToPublisher: true });
  await work(db);
  await giveDetails(db, club);
  await db.updateTable("brands").set({ payout_threshold_pence: 500 }).where("id", "=", club.brandId).execute();
  const asked = await requestPayout(db, { ...club, sessionId: null, now: MONDAY });
  if (asked.outcome !== "requested" || asked.amountPence !== INVITER_PENCE)
    throw new Error(`The bonus was not withdrawn: ${JSON.stringify(asked)}`);
  await makeApprovedBatch(db, { method, bankKeys, payeeKeys, by: "a test", now: MONDAY });
  return invited;
}

/** Lets the worker look at everything that is due. */
export async function work(db: Db, now = LATER): Promise<void> {
  for (;;) {
    const { looked, failed } = await watchReferrals(db, { keys, now });
    if (failed > 0) throw new Error("A referral could not be settled.");
    if (looked === 0) return;
  }
}

export async function bonusesOf(db: Db, referralId: string | undefined): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom("bonuses")
    .select(["side", "state"])
    .where("referral_id", "=", referralId ?? newId())
    .execute();
  return Object.fromEntries(rows.map(({ side, state }) => [side, state]));
}

export async function mailsOf(db: Db, memberId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("mails")
    .select("kind")
    .where("member_id", "=", memberId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(({ kind }) => kind);
}
