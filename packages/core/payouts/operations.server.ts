import { randomBytes } from "node:crypto";
import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { postTransfer } from "../ledger/operations.server.ts";
import { lockMember, lockSignedIn } from "../members/lock-member.server.ts";
import { queueMail } from "../mails/operations.server.ts";
import { findPayableNow } from "../payable/payable-now.server.ts";
import { changePayout, lockPayout, type Payout } from "./payout-row.server.ts";
import {
  bankReference,
  inTransitLegs,
  KEEP_PAYEE_DAYS,
  PAYOUT_REASONS,
  type PayoutMethodName,
  type PayoutReason,
} from "./rules.ts";

export interface PayoutRequest {
  brandId: string;
  memberId: string;
  /** The session that the member asks in; null: an operator asks for them, and no session is needed. */
  sessionId: string | null;
  /** `member`, or the operator who asks for a member who can't sign in. */
  by?: string;
  now: Date;
}

export type RequestedPayout =
  | { outcome: "requested"; publicId: string; amountPence: number }
  | PayoutObstacle
  | { outcome: "signed-out" };

/** Why a member can't be paid now. */
export type PayoutObstacle =
  | { outcome: "already" | "on-hold" | "closing" | "needs-details" }
  | { outcome: "below-threshold"; payablePence: number; thresholdPence: number };

/**
 * Asks for everything that is payable to be paid to the member's bank account (C6). One payout at a time is under way,
 * however many requests come in at once. It works for every member, lapsed or suspended, unless an operator holds it.
 */
export async function requestPayout(db: Db, request: PayoutRequest): Promise<RequestedPayout> {
  const { brandId, memberId, sessionId, by = "member", now } = request;
  return db.transaction().execute(async (trx): Promise<RequestedPayout> => {
    const member =
      sessionId === null
        ? await lockMember(trx, { brandId, memberId })
        : await lockSignedIn(trx, { brandId, memberId, sessionId });
    if (!member || member.closed_at) return { outcome: "signed-out" };
    const obstacle = await findPayoutObstacle(trx, { memberId });
    if (obstacle) return obstacle;
    const { payablePence, entryIds } = await findPayableNow(trx, { memberId });
    const { usable_from: usable } = await trx
      .selectFrom("bank_details")
      .select("usable_from")
      .where("member_id", "=", memberId)
      .executeTakeFirstOrThrow();
    const payout = await insertPayout(trx, {
      brandId,
      memberId,
      closureId: null,
      amountPence: payablePence,
      entryIds,
      by,
      now,
    });
    await queueMail(trx, {
      brandId,
      memberId,
      to: member.email,
      mail: {
        kind: "payout-requested",
        amountPence: payablePence,
        heldUntil: usable > now ? usable.toISOString() : null,
        isByClub: sessionId === null,
      },
      now,
    });
    return { outcome: "requested", publicId: payout.public_id, amountPence: payablePence };
  });
}

/** Returns why a payout of everything payable to the member's bank account would be refused now; null: it would not. */
export async function findPayoutObstacle(
  db: Db | Trx,
  { memberId }: { memberId: string },
): Promise<PayoutObstacle | null> {
  const { rows } = await sql<{ outcome: "already" | "on-hold" | "closing" | "needs-details" | null }>`
    select
      case
        when exists (select from payouts where member_id = ${memberId} and state in ('requested', 'processing')) then 'already'
        when exists (select from payout_holds where member_id = ${memberId} and lifted_at is null) then 'on-hold'
        when exists (select from closures where member_id = ${memberId} and state in ('requested', 'awaiting_payout')) then 'closing'
        when not exists (select from bank_details where member_id = ${memberId}) then 'needs-details'
      end as outcome`.execute(db);
  const outcome = rows[0]?.outcome;
  if (outcome) return { outcome };
  const { payablePence, thresholdPence } = await findPayableNow(db, { memberId });
  return payablePence < thresholdPence ? { outcome: "below-threshold", payablePence, thresholdPence } : null;
}

/** Inserts a payout of a locked member and takes its money out of what is payable. */
export async function insertPayout(
  trx: Trx,
  wanted: {
    brandId: string;
    memberId: string;
    closureId: string | null;
    method?: PayoutMethodName;
    amountPence: number;
    entryIds: readonly string[];
    by: string;
    now: Date;
  },
): Promise<Payout> {
  const { memberId, amountPence, entryIds, now } = wanted;
  const payout = (await trx
    .insertInto("payouts")
    .values({
      id: newId(),
      brand_id: wanted.brandId,
      member_id: memberId,
      closure_id: wanted.closureId,
      method: wanted.method ?? "bank",
      state: "requested",
      amount_pence: amountPence,
      bank_reference: bankReference(randomBytes(10)),
      requested_at: now,
      requested_by: wanted.by,
    })
    .returningAll()
    .executeTakeFirstOrThrow()) as Payout;
  if (entryIds.length > 0)
    await trx
      .insertInto("payout_entries")
      .values(entryIds.map((entry_id) => ({ payout_id: payout.id, entry_id })))
      .execute();
  await postTransfer(trx, {
    key: `payout:${payout.id}:requested`,
    kind: "payout_requested",
    legs: inTransitLegs(memberId, amountPence),
    cause: { kind: "payout", id: payout.id },
    happenedAt: now,
  });
  return payout;
}

/** Cancels what a member asked for, while it has not left for the bank. A gift card is cancelled by gift-cards/cancel-taken.server.ts. */
export async function cancelPayout(
  db: Db,
  { brandId, memberId, publicId, now }: { brandId: string; memberId: string; publicId: string; now: Date },
): Promise<"cancelled" | "too-late" | "unknown"> {
  return db.transaction().execute(async (trx) => {
    const member = await lockMember(trx, { brandId, memberId });
    const known = await trx
      .selectFrom("payouts")
      .select("id")
      .where("public_id", "=", publicId)
      .where("member_id", "=", memberId)
      .where("brand_id", "=", brandId)
      .where("method", "=", "bank")
      .executeTakeFirst();
    const payout = member && known && (await lockPayout(trx, known.id));
    if (!payout) return "unknown";
    if (payout.state !== "requested") return "too-late";
    await failWithin(trx, payout, { reason: "cancelled", said: null, now });
    return "cancelled";
  });
}

/**
 * Ends a locked payout without payment, or after the bank has returned it: its money is payable again. Removes bank
 * details that can't be paid to, unless the member has given others since.
 */
export async function failWithin(
  trx: Trx,
  payout: Payout,
  { reason, said, now }: { reason: PayoutReason; said: string | null; now: Date },
): Promise<Payout> {
  const isReturned = payout.state === "paid";
  const over = await changePayout(trx, payout, {
    state: isReturned ? "returned" : "failed",
    reason,
    bank_said: said?.slice(0, 200) ?? null,
    payee: null,
    ...(isReturned ? { returned_at: now } : { failed_at: now }),
  });
  const { member_id: memberId, amount_pence: amountPence } = payout;
  await postTransfer(trx, {
    key: `payout:${payout.id}:${isReturned ? "returned" : "failed"}`,
    kind: isReturned ? "payout_returned" : "payout_failed",
    legs: [
      { account: { kind: isReturned ? "member_paid" : "member_in_transit", memberId }, amountPence: -amountPence },
      { account: { kind: "member_payable", memberId }, amountPence },
    ],
    cause: { kind: "payout", id: payout.id },
    happenedAt: now,
  });
  if (PAYOUT_REASONS[reason].endsDetails && payout.payee !== null)
    await trx.deleteFrom("bank_details").where("member_id", "=", memberId).where("sealed", "=", payout.payee).execute();
  return over;
}

/** Deletes the account that a payout went to when the bank can no longer return it; run by a regular job. */
export async function forgetPaidAccounts(db: Db, { now }: { now: Date }): Promise<void> {
  await db
    .updateTable("payouts")
    .set((eb) => ({ payee: null, version: eb("version", "+", 1) }))
    .where("payee", "is not", null)
    .where("state", "=", "paid")
    .where("paid_at", "<=", new Date(now.getTime() - KEEP_PAYEE_DAYS * 86_400_000))
    .execute();
}
