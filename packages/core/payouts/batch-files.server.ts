import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import type { Payment, PayoutMethod } from "./provider.ts";

/** Payouts that ended before their batch was approved: its files never held them, and their bank details are deleted. */
export function endedBefore(approvedAt: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(state = 'failed' and failed_at <= ${approvedAt})`;
}

/**
 * Returns the files of a batch. They are the same each time until a payout's bank details are deleted, whatever else happened to its payouts
 * since: a process that died before it wrote them is repeated without paying anyone twice. Null: there is no such batch. There are none before
 * a second person has approved it, after it is cancelled, nor once the details of a payment are deleted: nothing of a batch is left out silently.
 * A payout that the approval has ended is not in them (look-again.server.ts).
 * @throws UnreadableDetailsError if the details of a payment can't be decrypted
 */
export async function batchFiles(
  db: Db,
  { batchNumber, method }: { batchNumber: number; method: PayoutMethod<unknown> },
): Promise<{ name: string; text: string }[] | "not-approved" | "cancelled" | "details-deleted" | null> {
  const batch = await db
    .selectFrom("payout_batches")
    .selectAll()
    .where("batch_number", "=", batchNumber)
    .executeTakeFirst();
  if (!batch) return null;
  if (batch.cancelled_at !== null) return "cancelled";
  if (batch.approved_at === null) return "not-approved";
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
