import type { Db, Trx } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import { isOver, londonTime } from "./bacs-calendar.ts";
import type { Payment, PayoutMethod } from "./provider.ts";

/** Payouts that ended before their batch was approved: its files never held them, and their bank details are deleted. */
export function endedBefore(approvedAt: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(state = 'failed' and failed_at <= ${approvedAt})`;
}

/**
 * Returns whether somebody has had a file of a batch: the entry of the log commits before the file is given. Whoever changes
 * something by the answer locks the batch first, as a download does.
 */
export async function wasDownloaded(db: Db | Trx, { batchNumber }: { batchNumber: number }): Promise<boolean> {
  const entry = await db
    .selectFrom("audit_entries")
    .select("id")
    .where("subject_type", "=", "payout-batch")
    .where("subject_id", "=", String(batchNumber))
    .where("action", "=", "payout-batch.download")
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined;
}

/**
 * Returns the files of a batch. They are the same each time until a payout's bank details are deleted, whatever else happened to its payouts
 * since: a process that died before it wrote them is repeated without paying anyone twice. Null: there is no such batch. There are none before
 * a second person has approved it, after it is cancelled, nor once the details of a payment are deleted: nothing of a batch is left out silently.
 * A payout that the approval has ended is not in them (look-again.server.ts). `too-late`: nobody has had them before the processing day that they
 * name, and the bank refuses them from then on. The batch stays locked to the end of the caller's transaction, so that no cancellation passes it.
 * @throws UnreadableDetailsError if the details of a payment can't be decrypted
 */
export async function batchFiles(
  db: Db,
  { batchNumber, method, now }: { batchNumber: number; method: PayoutMethod<unknown>; now: Date },
): Promise<{ name: string; text: string }[] | "not-approved" | "cancelled" | "too-late" | "details-deleted" | null> {
  const batch = await db
    .selectFrom("payout_batches")
    .selectAll()
    .where("batch_number", "=", batchNumber)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!batch) return null;
  if (batch.cancelled_at !== null) return "cancelled";
  if (batch.approved_at === null) return "not-approved";
  const isMissed = batch.confirmed_at === null && londonTime(now).day >= batch.processing_day;
  if (isMissed && !(await wasDownloaded(db, { batchNumber }))) return "too-late";
  const { rows } = await sql<{ memberId: string; payee: string | null; reference: string; amountPence: number }>`
    select member_id as "memberId", payee, bank_reference as reference, amount_pence as "amountPence"
    from payouts where batch_id = ${batch.id} and not ${endedBefore(sql`${batch.approved_at}`)} order by bank_reference collate "C"`.execute(
    db,
  );
  const payments: Payment<unknown>[] = [];
  for (const { memberId, payee, ...payment } of rows) {
    if (payee === null) return "details-deleted";
    payments.push({ ...payment, destination: method.open(payee, memberId) });
  }
  return method.files({ batchNumber, madeAt: batch.made_at, processingDay: batch.processing_day, payments });
}

/**
 * Locks an approved batch whose processing day is over and whose files nobody has had. Returns whether it is one: the caller records in the same
 * transaction that the bank has them all the same.
 */
export async function lockMissedBatch(
  db: Db,
  { batchNumber, now }: { batchNumber: number; now: Date },
): Promise<boolean> {
  const batch = await db
    .selectFrom("payout_batches")
    .select(["approved_at", "cancelled_at", "processing_day"])
    .where("batch_number", "=", batchNumber)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!batch || batch.approved_at === null || batch.cancelled_at !== null) return false;
  return isOver(batch.processing_day, now) && !(await wasDownloaded(db, { batchNumber }));
}
