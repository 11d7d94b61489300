import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

export interface LedgerCheck {
  transfers: number;
  entries: number;
  accounts: number;
  /** One sentence per fault, at most a hundred of each kind; empty when the books are correct. */
  faults: string[];
}

const MAX_FAULTS = 100;

/**
 * Checks the books against the entries alone (C4): every transfer balances, all entries sum to zero, and the folded totals are the sums of the entries
 * that they cover. Reads one snapshot, so it can run under traffic.
 */
export async function checkLedger(db: Db): Promise<LedgerCheck> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (trx) => {
      const counts = await sql<{ transfers: number; entries: number; accounts: number; sum: number }>`
      select (select count(*) from ledger_transfers) as transfers, (select count(*) from ledger_entries) as entries,
        (select count(*) from ledger_accounts) as accounts, (select coalesce(sum(amount_pence), 0)::bigint from ledger_entries) as sum`.execute(
        trx,
      );
      const { sum, ...found } = counts.rows[0]!;
      return {
        ...found,
        faults: [
          ...(sum === 0 ? [] : [`All entries together sum to ${sum} pence instead of zero.`]),
          ...(await unbalanced(trx)),
          ...(await wrongTotals(trx)),
        ],
      };
    });
}

async function unbalanced(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string; legs: number; sum: number }>`
    select t.id, count(e.account_id)::int as legs, coalesce(sum(e.amount_pence), 0)::bigint as sum
    from ledger_transfers t left join ledger_entries e on e.transfer_id = t.id
    group by t.id having count(e.account_id) < 2 or sum(e.amount_pence) <> 0 limit ${MAX_FAULTS}`.execute(db);
  return rows.map((row) => `Transfer ${row.id} has ${row.legs} entries that sum to ${row.sum} pence.`);
}

async function wrongTotals(db: Db): Promise<string[]> {
  const ahead = await sql<{ folded_below: string }>`
    select folded_below from ledger_watermark where folded_below > pg_snapshot_xmax(pg_current_snapshot())`.execute(db);
  if (ahead.rows.length > 0)
    return [
      `The totals are ahead of the database (${ahead.rows[0]!.folded_below}), as after a restore: run the check with --rebuild.`,
    ];
  const { rows } = await sql<{ account_id: string; folded: number; real: number }>`
    with mark as (select folded_below from ledger_watermark), real as (
      select account_id, sum(amount_pence)::bigint as pence from ledger_entries, mark where xact_id < mark.folded_below group by account_id)
    select coalesce(real.account_id, total.account_id) as account_id, coalesce(total.total_pence, 0) as folded, coalesce(real.pence, 0) as real
    from real full join ledger_totals total on total.account_id = real.account_id
    where coalesce(total.total_pence, 0) <> coalesce(real.pence, 0) limit ${MAX_FAULTS}`.execute(db);
  return rows.map(
    (row) => `Account ${row.account_id}: the total says ${row.folded} pence, its entries sum to ${row.real}.`,
  );
}
