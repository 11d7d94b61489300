-- The lifecycle of a gift-card line; packages/core/gift-cards/rules.ts has the same transitions (G4). What was agreed at
-- checkout is fixed. Work on the queue (next_step_at, attempts, last_error) is no change of the line.
create or replace function check_gift_card_line_change() returns trigger language plpgsql as $$
begin
  if (old.order_id, old.product_id, old.public_id, old.line_number, old.face_pence, old.price_pence, old.fee_pence, old.cashback_pence)
    is distinct from (new.order_id, new.product_id, new.public_id, new.line_number, new.face_pence, new.price_pence, new.fee_pence, new.cashback_pence) then
    raise exception 'gift-card line % keeps what was agreed at checkout', old.id using errcode = 'check_violation';
  end if;
  if new.version = old.version then
    if (old.state, old.card_state, old.cashback_state, old.cost_pence, old.issuer_reference, old.lost_to_dispute_at)
      is distinct from (new.state, new.card_state, new.cashback_state, new.cost_pence, new.issuer_reference, new.lost_to_dispute_at) then
      raise exception 'gift-card line % changes by one version at a time', old.id using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if new.version <> old.version + 1 then
    raise exception 'gift-card line % changes by one version at a time', old.id using errcode = 'check_violation';
  end if;
  if old.state <> new.state and (old.state, new.state) not in (
    ('awaiting_payment', 'held'), ('awaiting_payment', 'issuing'), ('awaiting_payment', 'refunding'),
    ('awaiting_payment', 'cancelled'),
    ('held', 'issuing'), ('held', 'refunding'),
    ('issuing', 'held'), ('issuing', 'issued'), ('issuing', 'reversing'), ('issuing', 'refunding'),
    ('issued', 'reversing'),
    ('reversing', 'issued'), ('reversing', 'refunding'),
    ('refunding', 'refunded'), ('refunding', 'charged_back'),
    ('charged_back', 'refunding'),
    ('cancelled', 'refunding')) then
    raise exception 'a gift-card line cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if old.card_state <> new.card_state and (old.card_state, new.card_state) not in (
    ('none', 'possible'), ('possible', 'none'), ('possible', 'issued'), ('possible', 'reversed'), ('possible', 'lost'),
    ('issued', 'reversed')) then
    raise exception 'a gift card cannot go from % to %', old.card_state, new.card_state using errcode = 'check_violation';
  end if;
  return new;
end $$;
