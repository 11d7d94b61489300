-- A payment has its session's mode, and the session's price where the partner's server has fixed one, whichever process
-- writes it. Gift cards (packages/core/payments/schema.ts, GIFT_CARD_KEY) have their order's price. Where the partner has said that a reference
-- is paid once, a payment is refused if another payment of that reference has been paid or can still be paid:
-- packages/core/payments/order-payments.server.ts decides that under a lock, and this stops a process of an older version, which does not know of it.
create or replace function check_new_payment() returns trigger language plpgsql as $$
begin
  if exists (
    select from widget_sessions s where s.id = new.widget_session_id
      and (s.mode <> new.mode
        or s.amount_pence <> new.amount_pence and not starts_with(new.idempotency_key, 'gift-card-'))) then
    raise exception 'payment % is not what its session was opened for', new.id using errcode = 'check_violation';
  end if;
  if not starts_with(new.idempotency_key, 'gift-card-') and exists (
    select from widget_sessions s
      join payments p on p.partner_id = new.partner_id and p.reference = new.reference and p.mode = new.mode
        and p.session_reference = new.reference and p.state not in ('cancelled', 'refunded')
        and not starts_with(p.idempotency_key, 'gift-card-')
      join widget_sessions other on other.id = p.widget_session_id and other.once_per_reference
    where s.id = new.widget_session_id and s.once_per_reference) then
    raise exception 'payment % belongs to an order that another payment has paid or can still pay', new.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
