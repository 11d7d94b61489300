import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** Checks that goodwill and ledger agree (C4): each credit has what its state says. Returns one sentence per fault, at most a hundred. */
export async function checkGoodwill(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string; kind: string; wanted: number; posted: number }>`
    with positions as (
      select id, kind, pence from goodwill_credits
        cross join lateral (values ('member_payable', amount_pence), ('club_goodwill', -amount_pence)) as leg (kind, pence)
      where state = 'given'
    ), postings as (
      select transfer.cause_id as id, account.account_kind as kind, sum(entry.amount_pence)::bigint as pence
      from ledger_transfers transfer
      join ledger_entries entry on entry.transfer_id = transfer.id
      join ledger_accounts account on account.id = entry.account_id
      where transfer.cause_kind = 'goodwill'
      group by transfer.cause_id, account.account_kind having sum(entry.amount_pence) <> 0
    )
    select coalesce(positions.id, postings.id) as id, coalesce(positions.kind, postings.kind) as kind,
      coalesce(positions.pence, 0) as wanted, coalesce(postings.pence, 0) as posted
    from positions full join postings on postings.id = positions.id and postings.kind = positions.kind
    where coalesce(positions.pence, 0) <> coalesce(postings.pence, 0) order by 1, 2 limit 100`.execute(db);
  return rows.map((row) => `Goodwill ${row.id} should have ${row.wanted} pence in ${row.kind}, and has ${row.posted}.`);
}
