-- A card's price is posted from what has paid for it: card payments, or payouts (C4, C6). A worker of a version before payouts by
-- gift card would take it from card payments, and is refused in a rolling upgrade.
create or replace function check_gift_card_line_source() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  select account.account_kind into wrong
    from gift_card_lines line join gift_card_orders orders on orders.id = line.order_id
      join ledger_entries entry on entry.transfer_id = new.transfer_id
      join ledger_accounts account on account.id = entry.account_id
    where line.id = new.line_id
      and account.account_kind = case when orders.payout_id is null then 'club_card_payouts' else 'payment_held' end
    limit 1;
  if wrong is not null then
    raise exception 'gift-card line % is not paid out of %', new.line_id, wrong
      using errcode = 'check_violation', hint = 'A worker of an older version tried this: the next one of this version goes on.';
  end if;
  return null;
end $$;
