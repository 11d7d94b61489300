import type { Db, Trx } from "@farthing/db/client.ts";
import { lockMembers } from "../members/lock-member.server.ts";
import { bacsDays, type BacsDays } from "./bacs-calendar.ts";
import { failWithin } from "./operations.server.ts";
import { changePayout, lockPayout } from "./payout-row.server.ts";

export type ApprovedBatch =
  | { outcome: "unknown" | "already" | "rejected" }
  /** Whoever made it wants to approve it, and gives no reason for doing so alone. */
  | { outcome: "own" }
  | ({ outcome: "approved" } & BacsDays);

/**
 * Approves a batch, after which its files can be made (C6). Another operator approves it; its maker can only with a reason, which
 * the batch keeps. The days are those of a file that is sent now: an approval after the cut-off moves the batch to the next day.
 */
export async function approveBatch(
  db: Db,
  { batchNumber, by, aloneBecause, now }: { batchNumber: number; by: string; aloneBecause: string | null; now: Date },
): Promise<ApprovedBatch> {
  return db.transaction().execute(async (trx): Promise<ApprovedBatch> => {
    const batch = await lockBatch(trx, batchNumber);
    if (!batch) return { outcome: "unknown" };
    if (batch.approved_at !== null) return { outcome: "already" };
    if (batch.rejected_at !== null) return { outcome: "rejected" };
    const isOwn = batch.made_by === by;
    if (isOwn && aloneBecause === null) return { outcome: "own" };
    const days = bacsDays(now);
    await trx
      .updateTable("payout_batches")
      .set({
        approved_at: now,
        approved_by: by,
        approved_alone_because: isOwn ? aloneBecause : null,
        processing_day: days.processingDay,
        entry_day: days.entryDay,
      })
      .where("id", "=", batch.id)
      .execute();
    return { outcome: "approved", ...days };
  });
}

export type RejectedBatch =
  | { outcome: "unknown" | "already" | "approved" }
  /** How many payouts wait again. */
  | { outcome: "rejected"; payouts: number };

/**
 * Rejects a batch that nobody has approved: its payouts wait for the next one, with the reason beside them. Anybody may, whoever
 * made it included. Nobody is told: for members nothing has changed.
 */
export async function rejectBatch(
  db: Db,
  { batchNumber, by, because, now }: { batchNumber: number; by: string; because: string; now: Date },
): Promise<RejectedBatch> {
  return db.transaction().execute(async (trx): Promise<RejectedBatch> => {
    const batch = await lockBatch(trx, batchNumber);
    if (!batch) return { outcome: "unknown" };
    if (batch.approved_at !== null) return { outcome: "approved" };
    if (batch.rejected_at !== null) return { outcome: "already" };
    const taken = await trx
      .selectFrom("payouts")
      .select(["id", "member_id"])
      .where("batch_id", "=", batch.id)
      .where("state", "=", "processing")
      .orderBy("id")
      .execute();
    await lockMembers(
      trx,
      taken.map(({ member_id }) => member_id),
    );
    let payouts = 0;
    for (const { id } of taken) {
      const payout = await lockPayout(trx, id);
      if (payout?.state !== "processing") continue;
      payouts += 1;
      // A batch makes the payouts of members who leave anew, from their closure.
      if (payout.closure_id !== null)
        await failWithin(trx, payout, { reason: "operator", said: `batch ${batchNumber} was rejected`, now });
      else
        await changePayout(trx, payout, {
          state: "requested",
          batch_id: null,
          payee: null,
          processing_at: null,
          last_error: `Batch ${batchNumber} was rejected: ${because}`.slice(0, 500),
        });
    }
    await trx
      .updateTable("payout_batches")
      .set({ rejected_at: now, rejected_by: by, rejected_because: because })
      .where("id", "=", batch.id)
      .execute();
    return { outcome: "rejected", payouts };
  });
}

function lockBatch(trx: Trx, batchNumber: number) {
  return trx
    .selectFrom("payout_batches")
    .select(["id", "made_by", "approved_at", "rejected_at"])
    .where("batch_number", "=", batchNumber)
    .forUpdate()
    .executeTakeFirst();
}
