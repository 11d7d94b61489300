-- Card payments made in partners' frames (product.md W, G3): what was asked for, how far it got, and what the card provider told us. docs/ledger.md says
-- what each state means in the ledger.

alter table ledger_accounts drop constraint ledger_accounts_account_kind_check;
alter table ledger_accounts add constraint ledger_accounts_account_kind_check check (account_kind in (
  'member_tracked', 'member_confirmed', 'member_payable', 'member_paid',
  'network_expected', 'network_approved', 'network_received',
  'club_expected', 'club_approved', 'club_earned',
  'card_received', 'payment_held'));

create table payments (
  id                   uuid primary key,
  public_id            text not null unique check (public_id ~ '^[A-Za-z0-9_-]{22}$'),
  partner_id           uuid not null references partners (id),
  widget_session_id    uuid references widget_sessions (id) on delete set null,  -- only this visitor may see it
  idempotency_key      text not null check (length(idempotency_key) between 8 and 100),
  amount_pence         bigint not null check (amount_pence > 0),
  refunded_pence       bigint not null default 0 check (refunded_pence between 0 and amount_pence),
  reference            text not null check (length(reference) between 1 and 100),
  state                text not null check (state in (
    'created', 'awaiting_payment', 'processing', 'paid', 'partly_refunded', 'refunded', 'failed', 'cancelled')),
  version              integer not null default 0,      -- goes up by one with every change
  provider_payment_id  text unique,
  provider_customer_id text,
  created_at           timestamptz not null,
  changed_at           timestamptz not null,
  unique (widget_session_id, idempotency_key),
  check (state = 'created' or provider_payment_id is not null),
  check ((state = 'refunded') = (refunded_pence = amount_pence)),
  check ((state = 'partly_refunded') = (refunded_pence > 0 and refunded_pence < amount_pence))
);

-- The lifecycle, the same pairs as in core/payments/rules.ts. What was asked for is fixed.
create function check_payment_change() returns trigger language plpgsql as $$
begin
  -- The session is forgotten after a while: that is no change of the payment.
  if new.widget_session_id is null and old.widget_session_id is not null and new.version = old.version and new.state = old.state then
    return new;
  end if;
  if old.state <> new.state and (old.state, new.state) not in (
    ('created', 'awaiting_payment'),
    ('awaiting_payment', 'processing'), ('awaiting_payment', 'paid'), ('awaiting_payment', 'partly_refunded'),
    ('awaiting_payment', 'refunded'), ('awaiting_payment', 'failed'), ('awaiting_payment', 'cancelled'),
    ('processing', 'awaiting_payment'), ('processing', 'paid'), ('processing', 'partly_refunded'), ('processing', 'refunded'),
    ('processing', 'failed'), ('processing', 'cancelled'),
    ('failed', 'awaiting_payment'), ('failed', 'processing'), ('failed', 'paid'), ('failed', 'partly_refunded'), ('failed', 'refunded'),
    ('failed', 'cancelled'),
    ('paid', 'partly_refunded'), ('paid', 'refunded'),
    ('partly_refunded', 'paid'), ('partly_refunded', 'refunded'),
    ('refunded', 'paid'), ('refunded', 'partly_refunded')) then
    raise exception 'a payment cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if new.version <> old.version + 1 then
    raise exception 'payment % changes by one version at a time', old.id using errcode = 'check_violation';
  end if;
  if (old.partner_id, old.public_id, old.amount_pence, old.reference) <> (new.partner_id, new.public_id, new.amount_pence, new.reference)
    or old.provider_payment_id <> new.provider_payment_id then
    raise exception 'payment % stays what it was made for', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payments_lifecycle before update on payments for each row execute function check_payment_change();
create trigger payments_kept before delete on payments for each row execute function refuse_change();

-- Every change, with the transfer that posted it.
create table payment_changes (
  payment_id     uuid not null references payments (id),
  version        integer not null,
  state          text not null,
  refunded_pence bigint not null,
  transfer_id    uuid references ledger_transfers (id),   -- null: no money moved
  changed_at     timestamptz not null,
  primary key (payment_id, version)
);
create trigger payment_changes_fixed before update or delete on payment_changes for each row execute function refuse_change();
create trigger payment_changes_kept before truncate on payment_changes for each statement execute function refuse_change();

-- What the card provider sent, by its id, so that a second copy is known. Only signed ones get here; they are hints, and the provider is asked again.
create table card_events (
  id                  text primary key check (length(id) between 1 and 255),
  kind                text not null,
  provider_payment_id text not null,
  received_at         timestamptz not null,
  settled_at          timestamptz                           -- null: not acted upon yet; the next try does
);
create index card_events_received on card_events (received_at);
