-- A line that cashback pays for stands where its payout stands, when the transaction ends (C6, G4); checkGiftCards has the same
-- table. A worker of a version before payouts by gift card, which moves the line alone, is refused in a rolling upgrade.
create or replace function check_gift_card_line_payout() returns trigger language plpgsql as $$
declare
  payout_state text;
  line_state text;
begin
  -- The state at the end of the transaction, which may have changed the line more than once.
  select payout.state, line.state into payout_state, line_state
    from gift_card_lines line join gift_card_orders orders on orders.id = line.order_id join payouts payout on payout.id = orders.payout_id
    where line.id = new.id;
  if not found then
    return null;
  end if;
  if not coalesce(case line_state
      when 'issued' then payout_state = 'paid'
      when 'refunded' then payout_state in ('failed', 'returned')
      when 'cancelled' then payout_state = 'failed'
      when 'reversing' then payout_state in ('processing', 'paid')
      when 'refunding' then payout_state in ('requested', 'processing', 'paid')
      when 'issuing' then payout_state = 'processing'
      when 'held' then payout_state in ('requested', 'processing')
      when 'awaiting_payment' then payout_state = 'requested' end, false) then
    raise exception 'gift-card line % is %, and the payout that it is paid with %', new.id, line_state, payout_state
      using errcode = 'check_violation', hint = 'A worker of an older version tried this: the next one of this version goes on.';
  end if;
  return null;
end $$;
