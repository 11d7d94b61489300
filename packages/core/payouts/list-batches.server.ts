import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import { markOfAccount, openBankAccount, UnreadableDetailsError } from "../bank-details/bank-seal.ts";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
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
export async function findBatch(
  db: Db,
  { batchNumber, bankKeys }: { batchNumber: number; bankKeys: SecretKeys },
): Promise<BatchRecord | null> {
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
    sql<LargePayout>`
      select payout.member_id as "memberId", payout.payee, payout.public_id as "publicId", member.member_number as "memberNumber", brand.name as brand, payout.amount_pence as pence,
        not exists (select from payouts before where before.member_id = payout.member_id and before.state = 'paid'
          and before.id <> payout.id) as "isFirst"
      from (select * from payouts where batch_id = ${row.id} order by amount_pence desc, id limit ${MAX_LARGEST}) payout
        join members member on member.id = payout.member_id join brands brand on brand.id = payout.brand_id
      order by payout.amount_pence desc, payout.id`.execute(db),
  ]);
  const sharing = await findSharing(db, largest.rows, bankKeys);
  return {
    ...row,
    parts: parts.rows,
    largest: largest.rows.map(({ publicId, memberNumber, brand, pence, isFirst, memberId }) => {
      return { publicId, memberNumber, brand, pence, isFirst, sharesAccount: sharing.has(memberId) };
    }),
  };
}

type LargePayout = Omit<BatchRecord["largest"][number], "sharesAccount"> & { memberId: string; payee: string | null };

/**
 * Returns the members whose account another member has named, or is paid to in these payouts. A payout's account is the one that it froze, which may not
 * be the member's by now; it is today's where none is kept.
 */
async function findSharing(db: Db, payouts: readonly LargePayout[], keys: SecretKeys): Promise<Set<string>> {
  const accounts = payouts.flatMap(({ memberId, payee }) =>
    marksOf(payee, memberId, keys).map((mark) => ({ memberId, mark })),
  );
  const { rows } = await sql<{ memberId: string }>`
    with paid as (
      select member_id, mark from unnest(${accounts.map(({ memberId }) => memberId)}::uuid[], ${accounts.map(({ mark }) => mark)}::bytea[])
        known (member_id, mark)
    ), wanted as (
      select member_id, mark from paid
      union select member_id, account_mark from bank_details
        where member_id = any(${payouts.map(({ memberId }) => memberId)}::uuid[]) and member_id not in (select member_id from paid)
    )
    select distinct member_id as "memberId" from wanted
    where exists (select from bank_details other where other.account_mark = wanted.mark and other.member_id <> wanted.member_id)
      or exists (select from wanted other where other.mark = wanted.mark and other.member_id <> wanted.member_id)`.execute(
    db,
  );
  return new Set(rows.map(({ memberId }) => memberId));
}

/** Returns an account's mark with each key: other members' may be of a key that is being replaced. None where it can't be read. */
function marksOf(payee: string | null, memberId: string, keys: SecretKeys): Buffer[] {
  if (payee === null) return [];
  try {
    const account = openBankAccount(payee, memberId, keys);
    return keys.map((key) => markOfAccount(account, [key]));
  } catch (error) {
    if (error instanceof UnreadableDetailsError) return [];
    throw error;
  }
}
