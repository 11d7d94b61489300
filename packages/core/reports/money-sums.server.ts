import type { Db, Trx } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";

/**
 * Entries that are not in the sums yet, in the words of the query that reads both (T7). The index ledger_transfers_xact finds them; the
 * upper bound, which nothing is above, tells the planner that they are few.
 */
const notSummed = sql`transfer.xact_id >= (select summed_below from report_money_watermark)
  and transfer.xact_id <= (select '18446744073709551615'::xid8)`;

const allLegs = sql`join ledger_entries entry on entry.transfer_id = transfer.id join ledger_accounts account on account.id = entry.account_id`;
/** The same, looked up one transfer after the other. How few are new is more than the planner knows: it would read every account there is. */
const legsOfFew = sql`cross join lateral (
    select leg.amount_pence, held.account_kind from ledger_entries leg join ledger_accounts held on held.id = leg.account_id
    where leg.transfer_id = transfer.id offset 0) entry`;

/** Entries of the ledger by day in London, brand and kinds. The brand is that of the member whose account the transfer touches. */
const entriesByDay = (which: RawBuilder<unknown>, { areFew = false } = {}) => sql`
  select (transfer.happened_at at time zone 'Europe/London')::date as day, owner.brand_id, transfer.transfer_kind, account_kind,
    sum(entry.amount_pence)::bigint as pence, count(*) as transfers
  from ledger_transfers transfer
  ${areFew ? legsOfFew : allLegs}
  left join lateral (
    select member.brand_id from ledger_entries leg join ledger_accounts held on held.id = leg.account_id
    join members member on member.id = held.member_id where leg.transfer_id = transfer.id limit 1
  ) owner on true
  where ${which} group by 1, 2, 3, 4`;

/** The sums and the entries since, in one snapshot: exact to the last commit, whatever the jobs do. */
export const moneyByDay = sql`(
  select day, brand_id, transfer_kind, account_kind, pence, transfers from report_money_days
  union all ${entriesByDay(notSummed, { areFew: true })})`;

/**
 * Adds the entries of the ledger since the last time to the sums and raises the watermark, in one transaction: each entry is counted once. Entries of
 * open transactions are above the new watermark, and are added next time. Concurrent calls take turns.
 */
export async function sumMoney(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select from report_money_watermark for update`.execute(trx);
    await addNew(trx);
  });
}

/** Deletes the sums and makes them from the ledger again. Needed after a restore into a new server, whose transaction ids start again. */
export async function rebuildMoneySums(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select from report_money_watermark for update`.execute(trx);
    await sql`delete from report_money_days`.execute(trx);
    await sql`update report_money_watermark set summed_below = '0'`.execute(trx);
    await addNew(trx);
  });
}

async function addNew(trx: Trx): Promise<void> {
  // One statement, so that the bound and the rows come from the same snapshot.
  await sql`
    with mark as (
      select summed_below as since, pg_snapshot_xmin(pg_current_snapshot()) as upto from report_money_watermark
    ), moved as (
      update report_money_watermark set summed_below = mark.upto from mark where mark.upto > mark.since
    )
    insert into report_money_days (day, brand_id, transfer_kind, account_kind, pence, transfers)
    ${entriesByDay(sql`transfer.xact_id >= (select since from mark) and transfer.xact_id < (select upto from mark)`)}
    on conflict (day, brand_id, transfer_kind, account_kind) do update
      set pence = report_money_days.pence + excluded.pence, transfers = report_money_days.transfers + excluded.transfers`.execute(
    trx,
  );
}
