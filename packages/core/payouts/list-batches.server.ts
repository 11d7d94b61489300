import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import { markOfAccount, openBankAccount, UnreadableDetailsError } from "../bank-details/bank-seal.ts";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { sendDay, type Day } from "./bacs-calendar.ts";
import { endedBefore } from "./batch-files.server.ts";

/** Where a batch stands: made, then approved or rejected, then confirmed or cancelled. */
export type BatchState = "waiting" | "approved" | "rejected" | "cancelled" | "confirmed";

/** A batch as operators list it. */
export interface ListedBatch {
  batchNumber: number;
  state: BatchState;
  madeAt: Date;
  madeBy: string;
  processingDay: Day;
  entryDay: Day;
  /** The payments that are still to be made, or were made and have not come back. */
  payouts: number;
  totalPence: number;
  /** Those that failed or came back. */
  ended: number;
  endedPence: number;
}

export type BatchSort = "number";

// The statistics payout_batches_by_state are of this expression.
const state = sql<BatchState>`case when batch.confirmed_at is not null then 'confirmed'
  when batch.rejected_at is not null then 'rejected' when batch.cancelled_at is not null then 'cancelled'
  when batch.approved_at is not null then 'approved' else 'waiting' end`;
// Sums of the rows of one page only: each goes through the index payouts_of_batch.
const hasEnded = sql`state in ('failed', 'returned')`;
const sums = sql`left join lateral (select count(*) filter (where not ${hasEnded})::int as payouts,
    coalesce(sum(amount_pence) filter (where not ${hasEnded}), 0)::bigint as pence,
    count(*) filter (where ${hasEnded})::int as ended,
    coalesce(sum(amount_pence) filter (where ${hasEnded}), 0)::bigint as "endedPence"
  from payouts where payouts.batch_id = batch.id) sums on true`;
const columns = sql`batch.batch_number as "batchNumber", ${state} as state, batch.made_at as "madeAt", batch.made_by as "madeBy",
  batch.processing_day as "processingDay", batch.entry_day as "entryDay", sums.payouts, sums.pence as "totalPence",
  sums.ended, sums."endedPence"`;

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
  cancelledAt: Date | null;
  cancelledBy: string | null;
  cancelledBecause: string | null;
  confirmedAt: Date | null;
  confirmedBy: string | null;
  /** The file is sent until the cut-off of this day. */
  sendDay: Day;
  /** True: no batch was made after it. */
  isLast: boolean;
  /** Its payments whose bank details are deleted: if there are any, no file can be made. */
  detailsDeleted: number;
  /** Each download of a file in the audit log, the oldest first; `file` is in its words. */
  downloads: { at: Date; by: string; file: string }[];
  /** Its payouts by state, with their sums. */
  parts: { state: string; payouts: number; pence: number }[];
  /** What the approver looks at first: the largest payments, and those to accounts that several members have named. */
  largest: {
    publicId: string;
    reference: string;
    memberId: string;
    memberNumber: string;
    brand: string;
    pence: number;
    isFirst: boolean;
    /** The other members that have its account, max ten. */
    sharedWith: { memberId: string; memberNumber: string }[];
  }[];
}

const MAX_LARGEST = 10;
const MAX_SHARING = 10;
const MAX_DOWNLOADS = 100;

/** Returns one batch; null: there is none. */
export async function findBatch(
  db: Db,
  { batchNumber, bankKeys }: { batchNumber: number; bankKeys: SecretKeys },
): Promise<BatchRecord | null> {
  const { rows } = await sql<Omit<BatchRecord, "parts" | "largest" | "downloads" | "sendDay">>`
    select batch.id, ${columns}, batch.approved_at as "approvedAt", batch.approved_by as "approvedBy",
      batch.approved_alone_because as "approvedAloneBecause", batch.rejected_at as "rejectedAt",
      batch.rejected_by as "rejectedBy", batch.rejected_because as "rejectedBecause",
      batch.cancelled_at as "cancelledAt", batch.cancelled_by as "cancelledBy", batch.cancelled_because as "cancelledBecause",
      batch.confirmed_at as "confirmedAt", batch.confirmed_by as "confirmedBy",
      not exists (select from payout_batches later where later.batch_number > batch.batch_number) as "isLast",
      (select count(*)::int from payouts where payouts.batch_id = batch.id and payee is null
        and not coalesce(${endedBefore(sql`batch.approved_at`)}, false)) as "detailsDeleted"
    from payout_batches batch ${sums} where batch.batch_number = ${batchNumber}`.execute(db);
  const row = rows[0];
  if (!row) return null;
  const [parts, largest, downloads] = await Promise.all([
    sql<BatchRecord["parts"][number]>`
      select state, count(*)::int as payouts, sum(amount_pence)::bigint as pence from payouts
      where batch_id = ${row.id} group by state order by state`.execute(db),
    sql<LargePayout>`
      select payout.member_id as "memberId", payout.payee, payout.public_id as "publicId", payout.bank_reference as reference,
        member.member_number as "memberNumber", brand.name as brand, payout.amount_pence as pence,
        not exists (select from payouts before where before.member_id = payout.member_id and before.state = 'paid'
          and before.id <> payout.id) as "isFirst"
      from (select * from payouts where batch_id = ${row.id} order by amount_pence desc, id limit ${MAX_LARGEST}) payout
        join members member on member.id = payout.member_id join brands brand on brand.id = payout.brand_id
      order by payout.amount_pence desc, payout.id`.execute(db),
    sql<BatchRecord["downloads"][number]>`
      select at, actor as by, coalesce(why, 'a file') as file from audit_entries
      where subject_type = 'payout-batch' and subject_id = ${String(batchNumber)} and action = 'payout-batch.download'
      order by seq limit ${MAX_DOWNLOADS}`.execute(db),
  ]);
  const sharing = await findSharing(db, largest.rows, bankKeys);
  return {
    ...row,
    sendDay: sendDay(row.processingDay),
    parts: parts.rows,
    downloads: downloads.rows,
    largest: largest.rows.map(({ publicId, reference, memberId, memberNumber, brand, pence, isFirst }) => {
      const sharedWith = (sharing.get(memberId) ?? []).slice(0, MAX_SHARING);
      return { publicId, reference, memberId, memberNumber, brand, pence, isFirst, sharedWith };
    }),
  };
}

type LargePayout = Omit<BatchRecord["largest"][number], "sharedWith"> & { payee: string | null };
type Sharing = Map<string, BatchRecord["largest"][number]["sharedWith"]>;

/**
 * Returns the members whose account another member has named, or is paid to in these payouts, with those others. A payout's account is the one that it froze, which may not
 * be the member's by now; it is today's where none is kept.
 */
async function findSharing(db: Db, payouts: readonly LargePayout[], keys: SecretKeys): Promise<Sharing> {
  const accounts = payouts.flatMap(({ memberId, payee }) =>
    marksOf(payee, memberId, keys).map((mark) => ({ memberId, mark })),
  );
  const { rows } = await sql<{ memberId: string; otherId: string; otherNumber: string }>`
    with paid as (
      select member_id, mark from unnest(${accounts.map(({ memberId }) => memberId)}::uuid[], ${accounts.map(({ mark }) => mark)}::bytea[])
        known (member_id, mark)
    ), wanted as (
      select member_id, mark from paid
      union select member_id, account_mark from bank_details
        where member_id = any(${payouts.map(({ memberId }) => memberId)}::uuid[]) and member_id not in (select member_id from paid)
    ), sharing as (
      select wanted.member_id, other.member_id as other_id from wanted join bank_details other on other.account_mark = wanted.mark
      union select wanted.member_id, other.member_id from wanted join wanted other on other.mark = wanted.mark
    )
    select sharing.member_id as "memberId", other_id as "otherId", other.member_number as "otherNumber"
    from sharing join members other on other.id = other_id where sharing.member_id <> other_id
    order by sharing.member_id, other.member_number`.execute(db);
  const sharing: Sharing = new Map();
  for (const { memberId, otherId, otherNumber } of rows)
    sharing.set(memberId, [...(sharing.get(memberId) ?? []), { memberId: otherId, memberNumber: otherNumber }]);
  return sharing;
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
