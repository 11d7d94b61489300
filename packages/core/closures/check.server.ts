import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** Checks that the ledger agrees with closures about money that was given up (C4). Returns one sentence per fault. */
export async function checkClosures(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string; wanted: number; posted: number }>`
    with postings as (
      select transfer.cause_id as id, sum(entry.amount_pence)::bigint as pence
      from ledger_transfers transfer
      join ledger_entries entry on entry.transfer_id = transfer.id
      join ledger_accounts account on account.id = entry.account_id and account.account_kind = 'club_given_up'
      where transfer.cause_kind = 'closure' group by transfer.cause_id
    )
    select coalesce(closure.id, postings.id) as id, coalesce(closure.given_up_pence, 0) as wanted, coalesce(postings.pence, 0) as posted
    from closures closure full join postings on postings.id = closure.id
    where coalesce(closure.given_up_pence, 0) <> coalesce(postings.pence, 0) limit 100`.execute(db);
  return rows.map((row) => `Closure ${row.id} gave up ${row.wanted} pence, and ${row.posted} are in club_given_up.`);
}
