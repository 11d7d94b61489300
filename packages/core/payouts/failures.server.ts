import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { forgetPayee } from "../closures/close-member.server.ts";
import { lockMember } from "../members/lock-member.server.ts";
import { londonTime, type Day } from "./bacs-calendar.ts";
import { announceFailure } from "./announce.server.ts";
import { failWithin } from "./operations.server.ts";
import { lockPayout } from "./payout-row.server.ts";
import type { ReportedFailure } from "./provider.ts";
import { PAYOUT_REASONS, type PayoutReason } from "./rules.ts";

export interface AppliedFailure {
  reference: string;
  amountPence: number;
  outcome:
    | "failed"
    | "returned"
    /** It was applied before. */
    | "already"
    | "unknown"
    /** The amount is not what we paid: nothing was done, and somebody has to look. */
    | "other-amount"
    /** It has not been sent. */
    | "not-sent"
    /** Its processing day has not begun: the bank can't have returned it. */
    | "too-early"
    /** The bank gave a code that we don't know: somebody asks it what the code means. */
    | "unknown-code";
}

/**
 * Applies what the bank reports as not paid (C6): the money is payable again, and its member is told. One transaction for
 * each payment; applying a report again, or two that overlap, changes nothing.
 */
export async function applyFailures(
  db: Db,
  { failures, now }: { failures: readonly ReportedFailure[]; now: Date },
): Promise<AppliedFailure[]> {
  const applied: AppliedFailure[] = [];
  for (const failure of failures) {
    const { reference, amountPence } = failure;
    applied.push({ reference, amountPence, outcome: await applyFailure(db, { failure, now }) });
  }
  return applied;
}

/** Applies one line of a report, as `applyFailures` does. Returns what became of it. */
export async function applyFailure(
  db: Db,
  { failure, now }: { failure: ReportedFailure; now: Date },
): Promise<AppliedFailure["outcome"]> {
  const known = await db
    .selectFrom("payouts")
    .select(["id", "member_id"])
    .where("bank_reference", "=", failure.reference)
    .where("method", "=", "bank")
    .executeTakeFirst();
  if (!known) return "unknown";
  return db.transaction().execute(async (trx) => {
    await lockMember(trx, { memberId: known.member_id });
    const payout = await lockPayout(trx, known.id);
    if (!payout) return "unknown";
    const refusal = refusalOf(failure, { ...payout, sentFor: await findSentFor(trx, payout.batch_id) }, now);
    if (refusal !== null) return refusal;
    const over = await endWithin(trx, payout, { reason: failure.reason, said: failure.said, now });
    return over.state === "returned" ? "returned" : "failed";
  });
}

/** Returns why a line is not applied; null: it is. */
function refusalOf(
  { amountPence, reason }: ReportedFailure,
  { amount_pence, state, sentFor }: { amount_pence: number; state: string; sentFor: Day | null },
  now: Date,
): "other-amount" | "already" | "not-sent" | "too-early" | "unknown-code" | null {
  if (amount_pence !== amountPence) return "other-amount";
  if (state === "failed" || state === "returned") return "already";
  if (state === "requested" || sentFor === null) return "not-sent";
  if (londonTime(now).day < sentFor) return "too-early";
  return reason === "refused" ? "unknown-code" : null;
}

/** Returns the day on which Bacs processes a batch; null: it is not approved. */
async function findSentFor(trx: Trx, batchId: string | null): Promise<Day | null> {
  if (batchId === null) return null;
  const batch = await trx
    .selectFrom("payout_batches")
    .select("processing_day")
    .where("id", "=", batchId)
    .where("approved_at", "is not", null)
    .executeTakeFirst();
  return batch?.processing_day ?? null;
}

/** Returns what `applyFailures` would do now, and changes nothing. A payment that is named twice counts as one. */
export async function previewFailures(
  db: Db,
  { failures, now }: { failures: readonly ReportedFailure[]; now: Date },
): Promise<AppliedFailure[]> {
  const { rows } = await sql<{ reference: string; state: string; amount_pence: number; sentFor: Day | null }>`
    select bank_reference as reference, state, amount_pence,
      case when batch.approved_at is not null then batch.processing_day end as "sentFor"
    from payouts left join payout_batches batch on batch.id = payouts.batch_id
    where bank_reference = any(${failures.map(({ reference }) => reference)})`.execute(db);
  const known = new Map(rows.map((row) => [row.reference, row]));
  return failures.map((failure): AppliedFailure => {
    const { reference, amountPence } = failure;
    const payout = known.get(reference);
    if (!payout) return { reference, amountPence, outcome: "unknown" };
    const refusal = refusalOf(failure, payout, now);
    if (refusal !== null) return { reference, amountPence, outcome: refusal };
    const outcome = payout.state === "paid" ? "returned" : "failed";
    payout.state = outcome;
    return { reference, amountPence, outcome };
  });
}

async function endWithin(
  trx: Trx,
  payout: NonNullable<Awaited<ReturnType<typeof lockPayout>>>,
  why: { reason: PayoutReason; said: string | null; now: Date },
) {
  const over = await failWithin(trx, payout, why);
  const isReturned = over.state === "returned";
  // Who leaves is asked for another account; otherwise the next batch would pay to this one again.
  const isAsked =
    over.closure_id !== null &&
    (await forgetPayee(trx, {
      memberId: over.member_id,
      notPaid: { amountPence: over.amount_pence, reason: PAYOUT_REASONS[why.reason].text },
      returnedPence: isReturned ? over.amount_pence : 0,
      now: why.now,
    }));
  if (over.closure_id === null || (isReturned && !isAsked)) await announceFailure(trx, over, why.now);
  return over;
}

/**
 * Ends a payout that an operator stops before it is paid. Returns its state if it was not stopped. `gift-card`: its order
 * decides (`npm run gift-cards`).
 */
export async function stopPayout(
  db: Db,
  { publicId, reason, by, now }: { publicId: string; reason: PayoutReason; by: string; now: Date },
): Promise<{ outcome: "stopped" | "unknown" | "gift-card" } | { outcome: "too-late"; state: string }> {
  const known = await db
    .selectFrom("payouts")
    .select(["id", "member_id", "method"])
    .where("public_id", "=", publicId)
    .executeTakeFirst();
  if (!known) return { outcome: "unknown" };
  if (known.method !== "bank") return { outcome: "gift-card" };
  return db.transaction().execute(async (trx) => {
    await lockMember(trx, { memberId: known.member_id });
    const payout = await lockPayout(trx, known.id);
    if (!payout) return { outcome: "unknown" };
    // What is at the bank ends only by what the bank says: otherwise it could be paid and payable at once.
    if (payout.state !== "requested") return { outcome: "too-late", state: payout.state };
    await endWithin(trx, payout, { reason, said: `stopped by ${by}`, now });
    return { outcome: "stopped" };
  });
}
