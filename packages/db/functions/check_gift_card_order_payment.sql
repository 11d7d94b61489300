-- An order that is paid with a payout has one line, which costs what the payout is of, and belongs to its member (C6, G4).
create or replace function check_gift_card_order_payment() returns trigger language plpgsql as $$
declare
  payout payouts%rowtype;
  line_count integer;
  cost bigint;
begin
  if new.payout_id is null then
    return null;
  end if;
  select * into payout from payouts where id = new.payout_id;
  select count(*), coalesce(sum(price_pence + fee_pence), 0) into line_count, cost from gift_card_lines where order_id = new.id;
  if payout.method <> 'gift-card' or payout.member_id <> new.member_id or payout.amount_pence <> new.total_pence
    or line_count <> 1 or cost <> new.total_pence then
    raise exception 'gift-card order % does not cost what its payout is of', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
