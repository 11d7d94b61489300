import type { Db, Trx } from "@farthing/db/client.ts";
import { lockMembers } from "../members/lock-member.server.ts";
import { bacsDays, londonTime, type BacsDays } from "./bacs-calendar.ts";
import { wasDownloaded } from "./batch-files.server.ts";
import { lookAgain, sendBack, type LeftOut } from "./look-again.server.ts";
import { lockPayout } from "./payout-row.server.ts";

export type ApprovedBatch =
  | { outcome: "unknown" | "already" | "rejected" | "cancelled" }
  /** Whoever made it wants to approve it, and gives no reason for doing so alone. */
  | { outcome: "own" }
  /** Nobody in it may be paid any more: it is rejected, and nothing is paid. */
  | { outcome: "emptied"; leftOut: LeftOut[] }
  /** `leftOut`: whose payouts were taken out of it before. */
  | ({ outcome: "approved"; leftOut: LeftOut[] } & BacsDays);

/**
 * Approves a batch, after which its files can be made (C6). Another operator approves it; its maker can only with a reason, which
 * the batch keeps. The days are those of a file that is sent now: an approval after the cut-off moves the batch to the next day.
 * What may not be paid any more is taken out first.
 */
export async function approveBatch(
  db: Db,
  { batchNumber, by, aloneBecause, now }: { batchNumber: number; by: string; aloneBecause: string | null; now: Date },
): Promise<ApprovedBatch> {
  return db.transaction().execute(async (trx): Promise<ApprovedBatch> => {
    const batch = await lockBatch(trx, batchNumber);
    if (!batch) return { outcome: "unknown" };
    if (batch.cancelled_at !== null) return { outcome: "cancelled" };
    if (batch.approved_at !== null) return { outcome: "already" };
    if (batch.rejected_at !== null) return { outcome: "rejected" };
    const isOwn = batch.made_by === by;
    if (isOwn && aloneBecause === null) return { outcome: "own" };
    const { leftOut, staying } = await lookAgain(trx, { id: batch.id, batchNumber }, now);
    if (staying === 0) {
      await trx
        .updateTable("payout_batches")
        .set({ rejected_at: now, rejected_by: by, rejected_because: "Nobody in it may be paid any more." })
        .where("id", "=", batch.id)
        .execute();
      return { outcome: "emptied", leftOut };
    }
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
    return { outcome: "approved", leftOut, ...days };
  });
}

export type RejectedBatch =
  | { outcome: "unknown" | "already" | "approved" | "not-approved" | "too-late" }
  /** It is taken apart; `payouts`: how many wait again. */
  | { outcome: "rejected"; payouts: number };

/**
 * Rejects a batch that nobody has approved: its payouts wait for the next one, with the reason beside them. Anybody may, whoever
 * made it included. Nobody is told: for members nothing has changed.
 */
export async function rejectBatch(
  db: Db,
  { batchNumber, by, because, now }: { batchNumber: number; by: string; because: string; now: Date },
): Promise<RejectedBatch> {
  return takeApart(db, "rejected", { batchNumber, by, because, now });
}

/**
 * Cancels an approved batch before its processing day begins, or later where nobody has had its file, with the effect of a rejection.
 * The caller has asked whether its file is at the bank: a file that the bank has is withdrawn there first.
 */
export async function cancelBatch(
  db: Db,
  { batchNumber, by, because, now }: { batchNumber: number; by: string; because: string; now: Date },
): Promise<RejectedBatch> {
  return takeApart(db, "cancelled", { batchNumber, by, because, now });
}

async function takeApart(
  db: Db,
  how: "rejected" | "cancelled",
  { batchNumber, by, because, now }: { batchNumber: number; by: string; because: string; now: Date },
): Promise<RejectedBatch> {
  return db.transaction().execute(async (trx): Promise<RejectedBatch> => {
    const batch = await lockBatch(trx, batchNumber);
    if (!batch) return { outcome: "unknown" };
    const obstacle = how === "rejected" ? rejectionObstacle(batch) : await cancellationObstacle(trx, batch, now);
    if (obstacle !== null) return { outcome: obstacle };
    // Before its payouts: a payout leaves an approved batch only when the batch is cancelled.
    await trx
      .updateTable("payout_batches")
      .set(
        how === "rejected"
          ? { rejected_at: now, rejected_by: by, rejected_because: because }
          : { cancelled_at: now, cancelled_by: by, cancelled_because: because },
      )
      .where("id", "=", batch.id)
      .execute();
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
      await sendBack(trx, payout, { batchNumber, because: `Batch ${batchNumber} was ${how}: ${because}`, now });
    }
    return { outcome: "rejected", payouts };
  });
}

type LockedBatch = NonNullable<Awaited<ReturnType<typeof lockBatch>>>;

function rejectionObstacle({ approved_at, rejected_at }: LockedBatch) {
  if (approved_at !== null) return "approved";
  return rejected_at === null ? null : "already";
}

async function cancellationObstacle(trx: Trx, batch: LockedBatch, now: Date) {
  if (batch.approved_at === null) return "not-approved";
  if (batch.cancelled_at !== null) return "already";
  if (londonTime(now).day < batch.processing_day) return null;
  const isMissed = batch.confirmed_at === null && !(await wasDownloaded(trx, { batchNumber: batch.batch_number }));
  return isMissed ? null : "too-late";
}

function lockBatch(trx: Trx, batchNumber: number) {
  return trx
    .selectFrom("payout_batches")
    .select([
      ...(["id", "batch_number", "made_by", "approved_at", "rejected_at"] as const),
      ...(["cancelled_at", "confirmed_at", "processing_day"] as const),
    ])
    .where("batch_number", "=", batchNumber)
    .forUpdate()
    .executeTakeFirst();
}
