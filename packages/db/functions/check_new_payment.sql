-- A payment has its session's mode, and the session's price where the partner's server has fixed one, whichever process
-- writes it. Gift cards (packages/core/payments/schema.ts, GIFT_CARD_KEY) have their order's price.
create or replace function check_new_payment() returns trigger language plpgsql as $$
begin
  if exists (
    select from widget_sessions s where s.id = new.widget_session_id
      and (s.mode <> new.mode
        or s.amount_pence <> new.amount_pence and not starts_with(new.idempotency_key, 'gift-card-'))) then
    raise exception 'payment % is not what its session was opened for', new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
