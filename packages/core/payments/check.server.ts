import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

const MOST = 100;

/**
 * Checks that payments and ledger agree (C4): the postings of each payment equal what was taken and not refunded.
 * Test payments have no postings. Returns one sentence per fault.
 */
export async function checkPayments(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string; wanted: number; posted: number }>`
    with positions as (
      select id, case when mode = 'live' and state in ('paid', 'partly_refunded', 'refunded') then amount_pence - refunded_pence else 0 end as pence from payments
    ), postings as (
      select transfer.cause_id as id, sum(entry.amount_pence)::bigint as pence
      from ledger_transfers transfer
      join ledger_entries entry on entry.transfer_id = transfer.id
      join ledger_accounts account on account.id = entry.account_id and account.account_kind = 'payment_held'
      where transfer.cause_kind = 'payment'
      group by transfer.cause_id
    )
    select coalesce(positions.id, postings.id) as id, coalesce(positions.pence, 0) as wanted, coalesce(postings.pence, 0) as posted
    from positions full join postings on postings.id = positions.id
    where coalesce(positions.pence, 0) <> coalesce(postings.pence, 0) limit ${MOST}`.execute(db);
  return rows.map((row) => `Payment ${row.id} should have ${row.wanted} pence in payment_held, and has ${row.posted}.`);
}

/**
 * Checks that disputes and ledger agree (C4): what each has withdrawn and cost is on the accounts of its state. Returns one
 * sentence per fault.
 */
export async function checkDisputes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string; kind: string; wanted: number; posted: number }>`
    with positions as (
      select dispute.id, kind, pence from payment_disputes dispute join payments payment on payment.id = dispute.payment_id
        cross join lateral (values
          ('card_received', withdrawn_pence + fee_pence),
          ('provider_fees', -fee_pence),
          (case when dispute.state <> 'lost' then 'payment_disputed' when is_for_gift_cards then 'club_dispute_losses' else 'payment_held' end,
            -withdrawn_pence)
        ) as position (kind, pence)
      where payment.mode = 'live' and pence <> 0
    ), postings as (
      select transfer.cause_id as id, account.account_kind as kind, sum(entry.amount_pence)::bigint as pence
      from ledger_transfers transfer
      join ledger_entries entry on entry.transfer_id = transfer.id
      join ledger_accounts account on account.id = entry.account_id
      where transfer.cause_kind = 'dispute'
      group by transfer.cause_id, account.account_kind having sum(entry.amount_pence) <> 0
    )
    select coalesce(positions.id, postings.id) as id, coalesce(positions.kind, postings.kind) as kind,
      coalesce(positions.pence, 0) as wanted, coalesce(postings.pence, 0) as posted
    from positions full join postings on postings.id = positions.id and postings.kind = positions.kind
    where coalesce(positions.pence, 0) <> coalesce(postings.pence, 0) limit ${MOST}`.execute(db);
  return rows.map((row) => `Dispute ${row.id} should have ${row.wanted} pence in ${row.kind}, and has ${row.posted}.`);
}
