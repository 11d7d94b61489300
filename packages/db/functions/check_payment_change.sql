-- The lifecycle of a payment; packages/core/payments/rules.ts has the same transitions. The amount, the partner, the
-- mode, the session and the references are fixed.
create or replace function check_payment_change() returns trigger language plpgsql as $$
begin
  -- No changes of the payment: the session is deleted after 30 days (widget_sessions); seven years after the last change, when no accounts
  -- need it, what may point to a person is removed (decision 055).
  if new.version = old.version and new.state = old.state
    and (new.widget_session_id is null and to_jsonb(old) - 'widget_session_id' = to_jsonb(new) - 'widget_session_id'
      or old.changed_at < now() - interval '7 years'
        and to_jsonb(old) - array['reference', 'session_reference', 'description', 'provider_customer_id']
          = to_jsonb(new) - array['reference', 'session_reference', 'description', 'provider_customer_id']) then
    return new;
  end if;
  if old.state <> new.state and (old.state, new.state) not in (
    ('created', 'awaiting_payment'), ('created', 'cancelled'),
    ('awaiting_payment', 'processing'), ('awaiting_payment', 'paid'), ('awaiting_payment', 'partly_refunded'),
    ('awaiting_payment', 'refunded'), ('awaiting_payment', 'failed'), ('awaiting_payment', 'cancelled'),
    ('processing', 'awaiting_payment'), ('processing', 'paid'), ('processing', 'partly_refunded'),
    ('processing', 'refunded'), ('processing', 'failed'), ('processing', 'cancelled'),
    ('failed', 'awaiting_payment'), ('failed', 'processing'), ('failed', 'paid'), ('failed', 'partly_refunded'),
    ('failed', 'refunded'), ('failed', 'cancelled'),
    ('paid', 'partly_refunded'), ('paid', 'refunded'),
    ('partly_refunded', 'paid'), ('partly_refunded', 'refunded'),
    ('refunded', 'paid'), ('refunded', 'partly_refunded')) then
    raise exception 'a payment cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if new.version <> old.version + 1 then
    raise exception 'payment % changes by one version at a time', old.id using errcode = 'check_violation';
  end if;
  if (old.partner_id, old.public_id, old.amount_pence, old.reference)
      <> (new.partner_id, new.public_id, new.amount_pence, new.reference)
    or (old.mode, old.session_id, old.session_reference, old.description)
      is distinct from (new.mode, new.session_id, new.session_reference, new.description)
    or old.provider_payment_id <> new.provider_payment_id then
    raise exception 'payment % keeps its partner, amount and references', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
