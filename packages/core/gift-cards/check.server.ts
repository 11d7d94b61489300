import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/**
 * Checks that gift cards and ledger agree (C4):
 * - the postings of each line are what its card and its cashback say;
 * - the payment of each order has refunded what its refunded lines cost;
 * - the state of a payout fits that of its line.
 * @returns one sentence for each fault, at most a hundred of each kind
 */
export async function checkGiftCards(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string; kind: string; wanted: number; posted: number }>`
    with wanted as (
      select line.id, kind, pence from gift_card_lines line join gift_card_orders orders on orders.id = line.order_id
        cross join lateral (values
          ('payment_held', case when payout_id is null and (card_state = 'issued' or state = 'charged_back') then -(price_pence + fee_pence) else 0 end),
          ('club_card_payouts', case when payout_id is not null and card_state = 'issued' then -(price_pence + fee_pence) else 0 end),
          ('club_dispute_losses', case when state = 'charged_back' then price_pence + fee_pence else 0 end),
          ('issuer_float', case when card_state in ('issued', 'lost') then cost_pence else 0 end),
          ('club_card_losses', case when card_state = 'lost' then -cost_pence else 0 end),
          ('club_card_discounts', case when card_state = 'issued' then price_pence - face_pence else 0 end),
          ('club_card_cashback', case when cashback_state <> 'none' then -cashback_pence else 0 end),
          ('member_confirmed', case when cashback_state = 'confirmed' then cashback_pence else 0 end),
          ('member_payable', case when cashback_state = 'payable' then cashback_pence else 0 end)
        ) as position (kind, pence)
      where pence <> 0
    ), postings as (
      select transfer.cause_id as id, account.account_kind as kind, sum(entry.amount_pence)::bigint as pence
      from ledger_transfers transfer
      join ledger_entries entry on entry.transfer_id = transfer.id
      join ledger_accounts account on account.id = entry.account_id
        and account.account_kind not in ('club_card_commission', 'club_card_fees')
      where transfer.cause_kind = 'gift_card_line'
      group by transfer.cause_id, account.account_kind having sum(entry.amount_pence) <> 0
    )
    select coalesce(wanted.id, postings.id) as id, coalesce(wanted.kind, postings.kind) as kind,
      coalesce(wanted.pence, 0) as wanted, coalesce(postings.pence, 0) as posted
    from wanted full join postings on postings.id = wanted.id and postings.kind = wanted.kind
    where coalesce(wanted.pence, 0) <> coalesce(postings.pence, 0) limit 100`.execute(db);
  const refunds = await sql<{ id: string; wanted: number; refunded: number }>`
    select orders.public_id as id, payment.refunded_pence as refunded,
      coalesce(sum(line.price_pence + line.fee_pence) filter (where line.state = 'refunded'), 0)::bigint as wanted
    from gift_card_orders orders
      join payments payment on payment.session_id = orders.session_id and payment.idempotency_key = 'gift-card-' || orders.id
      join gift_card_lines line on line.order_id = orders.id
    group by orders.id, payment.id
    having bool_and(line.state <> 'refunding') and payment.refunded_pence
      <> coalesce(sum(line.price_pence + line.fee_pence) filter (where line.state = 'refunded'), 0) limit 100`.execute(
    db,
  );
  const payouts = await sql<{ id: string; line: string; payout: string }>`
    select line.public_id as id, line.state as line, payout.state as payout
    from payouts payout left join gift_card_orders orders on orders.payout_id = payout.id
      left join gift_card_lines line on line.order_id = orders.id
    where payout.method = 'gift-card' and not coalesce(case line.state
        when 'issued' then payout.state = 'paid'
        when 'refunded' then payout.state in ('failed', 'returned')
        when 'cancelled' then payout.state = 'failed'
        when 'reversing' then payout.state in ('processing', 'paid')
        when 'refunding' then payout.state in ('requested', 'processing', 'paid')
        when 'issuing' then payout.state = 'processing'
        when 'held' then payout.state in ('requested', 'processing')
        else payout.state = 'requested' end, false) limit 100`.execute(db);
  return [
    ...payouts.rows.map(
      (row) => `Gift-card line ${row.id} is ${row.line}, and the payout that it is paid with ${row.payout}.`,
    ),
    ...rows.map(
      (row) => `Gift-card line ${row.id} should have ${row.wanted} pence in ${row.kind}, and has ${row.posted}.`,
    ),
    ...refunds.rows.map(
      (row) =>
        `Gift-card order ${row.id} has refunded lines of ${row.wanted} pence, and its payment has refunded ${row.refunded}.`,
    ),
  ];
}
