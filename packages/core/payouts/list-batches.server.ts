import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import type { Day } from "./bacs-calendar.ts";

/** Where a batch stands: made, then approved or rejected, then confirmed. */
export type BatchState = "waiting" | "approved" | "rejected" | "confirmed";

/** A batch as operators list it. */
export interface ListedBatch {
  batchNumber: number;
  state: BatchState;
  madeAt: Date;
  madeBy: string;
  processingDay: Day;
  entryDay: Day;
  payouts: number;
  totalPence: number;
}

export type BatchSort = "number";

const state = sql<BatchState>`case when batch.confirmed_at is not null then 'confirmed'
  when batch.rejected_at is not null then 'rejected' when batch.approved_at is not null then 'approved' else 'waiting' end`;
// Sums of the rows of one page only: each goes through the index payouts_of_batch.
const sums = sql`left join lateral (select count(*)::int as payouts, coalesce(sum(amount_pence), 0)::bigint as pence
  from payouts where payouts.batch_id = batch.id) sums on true`;
const columns = sql`batch.batch_number as "batchNumber", ${state} as state, batch.made_at as "madeAt", batch.made_by as "madeBy",
  batch.processing_day as "processingDay", batch.entry_day as "entryDay", sums.payouts, sums.pence as "totalPence"`;

/** Returns how batches are listed, by their unique number. */
export function batchList({ state: wanted }: { state?: string }): ListQuery<BatchSort> {
  const where: RawBuilder<unknown>[] = wanted ? [sql`${state} = ${wanted}`] : [];
  return {
    from: sql`payout_batches batch ${sums}`,
    select: columns,
    where,
    sorts: { number: { by: sql`batch.batch_number`, type: "bigint" } },
    id: { by: sql`batch.batch_number`, type: "bigint" },
  };
}

export interface BatchRecord extends ListedBatch {
  id: string;
  approvedAt: Date | null;
  approvedBy: string | null;
  approvedAloneBecause: string | null;
  rejectedAt: Date | null;
  rejectedBy: string | null;
  rejectedBecause: string | null;
  confirmedAt: Date | null;
  confirmedBy: string | null;
  /** Its payouts by state, with their sums. */
  parts: { state: string; payouts: number; pence: number }[];
  /** What the approver looks at first: the largest payments, and those to accounts that several members have named. */
  largest: {
    publicId: string;
    memberNumber: string;
    brand: string;
    pence: number;
    isFirst: boolean;
    sharesAccount: boolean;
  }[];
}

const MAX_LARGEST = 10;

/** Returns one batch; null: there is none. */
export async function findBatch(db: Db, { batchNumber }: { batchNumber: number }): Promise<BatchRecord | null> {
  const { rows } = await sql<Omit<BatchRecord, "parts" | "largest">>`
    select batch.id, ${columns}, batch.approved_at as "approvedAt", batch.approved_by as "approvedBy",
      batch.approved_alone_because as "approvedAloneBecause", batch.rejected_at as "rejectedAt",
      batch.rejected_by as "rejectedBy", batch.rejected_because as "rejectedBecause", batch.confirmed_at as "confirmedAt",
      batch.confirmed_by as "confirmedBy"
    from payout_batches batch ${sums} where batch.batch_number = ${batchNumber}`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const [parts, largest] = await Promise.all([
    sql<BatchRecord["parts"][number]>`
      select state, count(*)::int as payouts, sum(amount_pence)::bigint as pence from payouts
      where batch_id = ${row.id} group by state order by state`.execute(db),
    sql<BatchRecord["largest"][number]>`
      select payout.public_id as "publicId", member.member_number as "memberNumber", brand.name as brand, payout.amount_pence as pence,
        not exists (select from payouts before where before.member_id = payout.member_id and before.state = 'paid'
          and before.id <> payout.id) as "isFirst",
        exists (select from bank_details own join bank_details other on other.account_mark = own.account_mark
          and other.member_id <> own.member_id where own.member_id = payout.member_id) as "sharesAccount"
      from (select * from payouts where batch_id = ${row.id} order by amount_pence desc, id limit ${MAX_LARGEST}) payout
        join members member on member.id = payout.member_id join brands brand on brand.id = payout.brand_id
      order by payout.amount_pence desc, payout.id`.execute(db),
  ]);
  return { ...row, parts: parts.rows, largest: largest.rows };
}
