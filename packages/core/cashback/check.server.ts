import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

const MAX_FAULTS = 100;

/**
 * Checks that cashback and ledger agree (C4): the postings of each entry sum to the amounts that its state calls for, and nothing was posted for an
 * entry that does not exist. Months and watches agree with the entries too. Returns one sentence per fault, at most a hundred.
 */
export async function checkCashback(db: Db): Promise<string[]> {
  const { rows } = await sql<{ entry_id: string; account_kind: string; wanted: number; posted: number }>`
    with positions as (
      select entry.id as entry_id, leg.account_kind, leg.pence
      from cashback_entries entry
      cross join lateral (values
        (case entry.state when 'tracked' then 'member_tracked' when 'confirmed' then 'member_confirmed' when 'payable' then 'member_payable' else 'member_paid' end, entry.cashback_pence),
        (case entry.state when 'tracked' then 'network_expected' when 'confirmed' then 'network_approved' else 'network_received' end, -entry.commission_pence),
        (case entry.state when 'tracked' then 'club_expected' when 'confirmed' then 'club_approved' else 'club_earned' end, entry.commission_pence - entry.cashback_pence)
      ) as leg (account_kind, pence)
      where entry.state <> 'declined' and leg.pence <> 0
    ), postings as (
      select transfer.cause_id as entry_id, account.account_kind, sum(posting.amount_pence)::bigint as pence
      from ledger_transfers transfer
      join ledger_entries posting on posting.transfer_id = transfer.id
      join ledger_accounts account on account.id = posting.account_id
      where transfer.cause_kind = 'cashback_entry'
      group by transfer.cause_id, account.account_kind
      having sum(posting.amount_pence) <> 0
    )
    select coalesce(positions.entry_id, postings.entry_id) as entry_id, coalesce(positions.account_kind, postings.account_kind) as account_kind,
      coalesce(positions.pence, 0) as wanted, coalesce(postings.pence, 0) as posted
    from positions full join postings on postings.entry_id = positions.entry_id and postings.account_kind = positions.account_kind
    where coalesce(positions.pence, 0) <> coalesce(postings.pence, 0) limit ${MAX_FAULTS}`.execute(db);
  const faults = rows.map(
    (row) =>
      `Cashback entry ${row.entry_id} should have ${row.wanted} pence in ${row.account_kind}, and has ${row.posted}.`,
  );
  return [...faults, ...(await checkMonths(db))].slice(0, MAX_FAULTS);
}

/** Checks that each member's months sum up their entries, and that exactly the open purchases are watched. */
async function checkMonths(db: Db): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    with wanted as (
      select member_id, date_trunc('month', purchased_at at time zone 'Europe/London')::date as month,
        count(*) filter (where entry_kind = 'purchase') as purchases,
        sum(cashback_pence) as pence, coalesce(sum(cashback_pence) filter (where state = 'paid'), 0) as paid_pence,
        coalesce(sum(cashback_pence) filter (where state in ('tracked', 'confirmed')), 0) as coming_pence
      from cashback_entries group by 1, 2)
    select 'Member ' || member_id || ' has other sums for ' || month || ' than their entries.' as fault
    from wanted full join cashback_months known using (member_id, month)
    where (wanted.purchases, wanted.pence, wanted.paid_pence, wanted.coming_pence) is distinct from (known.purchases,
      known.tracked_pence + known.confirmed_pence + known.payable_pence + known.paid_pence + known.declined_pence,
      known.paid_pence, known.tracked_pence + known.confirmed_pence)
    union all
    select 'Cashback entry ' || coalesce(entry.id, watch.entry_id) || case when entry.id is null then ' is closed and watched.'
      when watch.entry_id is null then ' is open and not watched.' else ' is watched with another amount.' end
    from (select * from cashback_entries where entry_kind = 'purchase' and state in ('tracked', 'confirmed')) entry
      full join cashback_watches watch on watch.entry_id = entry.id
    where entry.id is null or watch.entry_id is null or watch.cashback_pence <> entry.cashback_pence
    limit ${MAX_FAULTS}`.execute(db);
  return rows.map(({ fault }) => fault);
}
