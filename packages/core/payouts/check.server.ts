import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/**
 * Checks that payouts and ledger agree (C4): what is in transit for each payout is its amount while it is under way, and
 * nothing otherwise. Returns one sentence per fault, at most a hundred.
 */
export async function checkPayouts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string; wanted: number; posted: number }>`
    with postings as (
      select transfer.cause_id as id, sum(entry.amount_pence)::bigint as pence
      from ledger_transfers transfer
      join ledger_entries entry on entry.transfer_id = transfer.id
      join ledger_accounts account on account.id = entry.account_id and account.account_kind = 'member_in_transit'
      group by transfer.cause_id
    ), wanted as (
      select id, public_id, case when state in ('requested', 'processing') then amount_pence else 0 end as pence from payouts
    )
    select coalesce(wanted.public_id, postings.id::text) as id, coalesce(wanted.pence, 0) as wanted, coalesce(postings.pence, 0) as posted
    from wanted full join postings on postings.id = wanted.id
    where coalesce(wanted.pence, 0) <> coalesce(postings.pence, 0) limit 100`.execute(db);
  return rows.map((row) => `Payout ${row.id} should have ${row.wanted} pence in transit, and has ${row.posted}.`);
}
