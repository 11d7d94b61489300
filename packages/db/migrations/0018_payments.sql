-- Card payments made in partners' frames (W, G3): what was asked for, its state, and what the card provider sent.
-- docs/ledger.md says what each state means in the ledger.

--!include check_payment_change.sql
--!include refuse_change.sql

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
  version              integer not null default 0,         -- goes up by one with every change
  provider_payment_id  text unique,
  provider_customer_id text,
  created_at           timestamptz not null,
  changed_at           timestamptz not null,
  unique (widget_session_id, idempotency_key),
  check (state = 'created' or provider_payment_id is not null),
  check ((state = 'refunded') = (refunded_pence = amount_pence)),
  check ((state = 'partly_refunded') = (refunded_pence > 0 and refunded_pence < amount_pence))
);
-- The few payments that are not decided yet.
create index payments_undecided on payments (changed_at) where state in ('awaiting_payment', 'processing', 'failed');
create trigger payments_lifecycle before update on payments for each row execute function check_payment_change();
create trigger payments_kept before delete on payments for each row execute function refuse_change();

-- Every change, with the transfer that posted it.
create table payment_changes (
  payment_id     uuid not null references payments (id),
  version        integer not null,
  state          text not null,
  refunded_pence bigint not null,
  transfer_id    uuid references ledger_transfers (id),    -- null: no money moved
  changed_at     timestamptz not null,
  primary key (payment_id, version)
);
create trigger payment_changes_fixed before update or delete on payment_changes
  for each row execute function refuse_change();
create trigger payment_changes_kept before truncate on payment_changes
  for each statement execute function refuse_change();

-- Look-ups of payments of which no webhook came: how many there were and when the next is due. They are kept beside the
-- payment because a look-up is not a change of it.
create table payment_lookups (
  payment_id   uuid primary key references payments (id),
  lookups      integer not null check (lookups >= 0),
  next_look_at timestamptz not null
);

-- The card provider's events by their id, so that duplicates are recognised. Only signed ones are stored. They are
-- hints: the payment is read from the provider again.
create table card_events (
  id                  text primary key check (length(id) between 1 and 255),
  kind                text not null,
  provider_payment_id text not null,
  received_at         timestamptz not null,
  settled_at          timestamptz                          -- null: not handled yet; the next attempt handles it
);
create index card_events_received on card_events (received_at);
