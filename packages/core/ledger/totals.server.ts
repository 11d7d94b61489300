import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/**
 * Adds the entries since the last fold to the totals and raises the watermark, so that balances stay cheap to read. Entries of open transactions are
 * above the new watermark and are folded next time. Concurrent folds take turns. Returns the number of accounts changed.
 */
export async function foldTotals(db: Db): Promise<number> {
  return db.transaction().execute(async (trx) => {
    // Waits for a fold in progress; the next statement's snapshot then includes it.
    await sql`select from ledger_watermark for update`.execute(trx);
    const { numAffectedRows } = await sql`
      with mark as (
        select folded_below as since, pg_snapshot_xmin(pg_current_snapshot()) as upto from ledger_watermark
      ), moved as (
        update ledger_watermark set folded_below = mark.upto, folded_at = now() from mark where mark.upto > mark.since
      )
      insert into ledger_totals (account_id, total_pence)
      select entry.account_id, sum(entry.amount_pence)
      from mark join ledger_transfers transfer on transfer.xact_id >= mark.since and transfer.xact_id < mark.upto
      join ledger_entries entry on entry.transfer_id = transfer.id
      group by entry.account_id
      on conflict (account_id) do update set total_pence = ledger_totals.total_pence + excluded.total_pence, updated_at = now()`.execute(
      trx,
    );
    return Number(numAffectedRows ?? 0);
  });
}

/**
 * Returns whether the totals cover transactions that this database server has not reached, or the watermark is missing: the database was restored from
 * another server, and posting is refused until `rebuildTotals`.
 */
export async function areTotalsAhead(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from ledger_watermark where folded_below <= pg_snapshot_xmax(pg_current_snapshot())`.execute(db);
  return rows.length === 0;
}

/**
 * Deletes the totals: balances follow from the entries alone, and the next fold starts from them. Needed after a restore into a new cluster, whose
 * transaction ids start again: entries get new transaction ids, below all that will follow.
 */
export async function rebuildTotals(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`lock table ledger_entries, ledger_transfers in exclusive mode`.execute(trx);
    await sql`delete from ledger_totals`.execute(trx);
    // The only update of posted rows: their transaction ids, not their contents. The guards are disabled in this transaction only.
    for (const table of ["ledger_transfers", "ledger_entries"] as const) {
      const guard = sql.id(`${table}_fixed`);
      await sql`alter table ${sql.table(table)} disable trigger ${guard}`.execute(trx);
      await sql`update ${sql.table(table)} set xact_id = '0' where xact_id >= pg_current_xact_id()`.execute(trx);
      await sql`alter table ${sql.table(table)} enable trigger ${guard}`.execute(trx);
    }
    await sql`
      insert into ledger_watermark (folded_below) values ('0')
      on conflict (only_row) do update set folded_below = excluded.folded_below, folded_at = now()`.execute(trx);
    // The sums of reports count transactions too (reports/money-sums.server.ts); their job makes them again.
    await sql`delete from report_money_days`.execute(trx);
    await sql`update report_money_watermark set summed_below = '0'`.execute(trx);
  });
  await foldTotals(db);
}
