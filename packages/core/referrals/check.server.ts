import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/**
 * Checks that bonuses and ledger agree (C4): each bonus has in the ledger what its state calls for, and nothing was
 * posted for a bonus that does not exist. Returns one sentence per fault, at most a hundred.
 */
export async function checkBonuses(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string; account_kind: string; wanted: number; posted: number }>`
    with positions as (
      select bonus.id, leg.account_kind, leg.pence from bonuses bonus
      cross join lateral (values
        (case bonus.state when 'confirmed' then 'member_confirmed' else 'member_payable' end, bonus.amount_pence),
        ('club_bonuses', -bonus.amount_pence)) as leg (account_kind, pence)
      where bonus.state in ('confirmed', 'payable')
    ), postings as (
      select transfer.cause_id as id, account.account_kind, sum(posting.amount_pence)::bigint as pence
      from ledger_transfers transfer
      join ledger_entries posting on posting.transfer_id = transfer.id
      join ledger_accounts account on account.id = posting.account_id
      where transfer.cause_kind = 'bonus' group by transfer.cause_id, account.account_kind
      having sum(posting.amount_pence) <> 0
    )
    select coalesce(positions.id, postings.id) as id, coalesce(positions.account_kind, postings.account_kind) as account_kind,
      coalesce(positions.pence, 0) as wanted, coalesce(postings.pence, 0) as posted
    from positions full join postings on postings.id = positions.id and postings.account_kind = positions.account_kind
    where coalesce(positions.pence, 0) <> coalesce(postings.pence, 0) order by 1, 2 limit 100`.execute(db);
  return rows.map(
    (row) => `Bonus ${row.id} should have ${row.wanted} pence in ${row.account_kind}, and has ${row.posted}.`,
  );
}
