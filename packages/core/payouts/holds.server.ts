import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { formatPence } from "../money/money.ts";
import { lockMember } from "../members/lock-member.server.ts";

export interface PayoutHold {
  publicId: string;
  memberNumber: string;
  brand: string;
  reason: string;
  placedBy: string;
  placedAt: Date;
  /** What is payable, with what is on its way to the bank. */
  payableAndInTransitPence: number;
}

/** `already`: another hold of the member is in force. */
export type PlacedHold = { outcome: "held"; publicId: string } | { outcome: "already" | "unknown" };

/** Stops a member's withdrawals because of suspected fraud. The reason is for operators; the member is told to write to us. */
export async function placeHold(
  db: Db,
  { memberNumber, reason, by, now }: { memberNumber: string; reason: string; by: string; now: Date },
): Promise<PlacedHold> {
  return db.transaction().execute(async (trx): Promise<PlacedHold> => {
    const member = await trx
      .selectFrom("members")
      .select(["id", "brand_id"])
      .where("member_number", "=", memberNumber)
      .executeTakeFirst();
    if (!member) return { outcome: "unknown" };
    await lockMember(trx, { memberId: member.id });
    const placed = await trx
      .insertInto("payout_holds")
      .values({ id: newId(), brand_id: member.brand_id, member_id: member.id, reason, placed_by: by, placed_at: now })
      .onConflict((conflict) => conflict.column("member_id").where("lifted_at", "is", null).doNothing())
      .returning("public_id as publicId")
      .executeTakeFirst();
    return placed ? { outcome: "held", publicId: placed.publicId } : { outcome: "already" };
  });
}

/** Lifts a hold. False: there is no such hold, or it was lifted before. */
export async function liftHold(
  db: Db,
  { publicId, by, now }: { publicId: string; by: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("payout_holds")
    .set({ lifted_by: by, lifted_at: now })
    .where("public_id", "=", publicId)
    .where("lifted_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns the holds that are in force, the oldest first. */
export async function listHolds(db: Db): Promise<PayoutHold[]> {
  const { rows } = await sql<PayoutHold>`
    select hold.public_id as "publicId", member.member_number as "memberNumber", brand.slug as brand, hold.reason,
      hold.placed_by as "placedBy", hold.placed_at as "placedAt",
      coalesce((select sum(entry.amount_pence) from ledger_accounts account join ledger_entries entry on entry.account_id = account.id
        where account.member_id = member.id and account.account_kind in ('member_payable', 'member_in_transit')), 0)::bigint as "payableAndInTransitPence"
    from payout_holds hold join members member on member.id = hold.member_id join brands brand on brand.id = hold.brand_id
    where hold.lifted_at is null order by hold.placed_at, hold.id`.execute(db);
  return rows;
}

/** A payout of a member that is in a batch, which a hold alone does not stop once the batch is approved. */
export interface PayoutInBatch {
  batchNumber: number;
  amountPence: number;
  isApproved: boolean;
}

/** Returns the member's payout that is in a batch and not paid yet; null: none. */
export async function findPayoutInBatch(
  db: Db,
  { memberNumber }: { memberNumber: string },
): Promise<PayoutInBatch | null> {
  const { rows } = await sql<PayoutInBatch>`
    select batch.batch_number as "batchNumber", payout.amount_pence as "amountPence", batch.approved_at is not null as "isApproved"
    from members member join payouts payout on payout.member_id = member.id and payout.state = 'processing'
    join payout_batches batch on batch.id = payout.batch_id where member.member_number = ${memberNumber}`.execute(db);
  return rows[0] ?? null;
}

/** Returns what a hold does to a payout in a batch, for operators. */
export function heldInBatch({ batchNumber, amountPence, isApproved }: PayoutInBatch): string {
  const payment = `A payment of ${formatPence(amountPence)} is in batch ${batchNumber}`;
  return isApproved
    ? `${payment}, which is approved: the hold does not stop it. Cancel the batch before the bank processes it.`
    : `${payment}: it is taken out when the batch is approved.`;
}
