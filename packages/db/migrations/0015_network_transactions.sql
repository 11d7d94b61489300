-- What networks tell us (C2, C3). A push is a hint: it is stored raw, then confirmed from the network's own report.
-- Only the report creates a network transaction.

--!include announce_network_event.sql
--!include refuse_change.sql

-- Pounds per unit of a foreign currency, in millionths, from a moment on. Members' amounts are always pounds.
create table exchange_rates (
  currency    text not null check (currency ~ '^[A-Z]{3}$' and currency <> 'GBP'),
  valid_from  timestamptz not null,
  rate_micros bigint not null check (rate_micros > 0),
  primary key (currency, valid_from)
);

-- Raw pushes. A `received` push waits for the report; the others are handled.
create table network_events (
  id                     uuid primary key,
  network_id             uuid not null references networks (id),
  dedupe_key             bytea not null check (length(dedupe_key) = 32),  -- sha-256 of the raw bytes
  network_transaction_id text,                             -- as the push names it; null: unreadable
  content_type           text not null,
  raw                    bytea not null check (length(raw) <= 262144),
  status                 text not null check (status in ('received', 'confirmed', 'unconfirmed', 'unreadable')),
  attempts               integer not null default 0,
  next_attempt_at        timestamptz not null,
  last_error             text,
  received_at            timestamptz not null,
  handled_at             timestamptz,
  unique (network_id, dedupe_key),
  check ((status = 'received') = (handled_at is null)),
  check (network_transaction_id is not null or status = 'unreadable')
);
create index network_events_waiting on network_events (next_attempt_at) where status = 'received';
create index network_events_transaction on network_events (network_id, network_transaction_id);
create index network_events_received on network_events (received_at desc);
create trigger network_events_announce after insert on network_events
  for each statement execute function announce_network_event();

-- The latest state of a sale as the network's report has it. Amounts are minor units of the network's currency.
create table network_transactions (
  id                     uuid primary key,
  network_id             uuid not null references networks (id),
  network_transaction_id text not null,
  network_programme_id   text not null,
  programme_id           uuid references programmes (id),  -- null: an unknown programme
  click_reference        text,                             -- as it came back; null: lost on the way
  click_id               uuid references clicks (id),      -- null: no member can be credited
  -- Why no member is credited (yet); null: credited.
  held_because           text check (held_because in ('no_reference', 'unknown_reference', 'unknown_programme', 'other_retailer', 'no_exchange_rate')),
  status                 text not null check (status in ('pending', 'approved', 'declined', 'deleted')),
  currency               text not null check (currency ~ '^[A-Z]{3}$'),
  sale_minor             bigint not null,
  commission_minor       bigint not null,
  exchange_rate_micros   bigint check (exchange_rate_micros > 0),  -- frozen when first seen
  parts                  jsonb not null,                   -- [{ groupId, saleMinor, commissionMinor }]
  paid_to_publisher      boolean not null,
  reason_code            text,
  order_reference        text,
  purchased_at           timestamptz not null,
  clicked_at             timestamptz,
  validated_at           timestamptz,
  modified_at            timestamptz not null,             -- by the network's own dates
  observed_at            timestamptz not null,             -- when we sent the request that returned it
  revision_number        integer not null check (revision_number >= 1),
  revision_hash          text not null check (revision_hash ~ '^[0-9a-f]{64}$'),
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  unique (network_id, network_transaction_id),
  check (held_because is not null or (click_id is not null and programme_id is not null and exchange_rate_micros is not null))
);
create index network_transactions_click on network_transactions (click_id) where click_id is not null;
create index network_transactions_held on network_transactions (held_because, created_at) where held_because is not null;
create index network_transactions_unpaid on network_transactions (observed_at) where status = 'approved' and not paid_to_publisher;

-- Everything that the report ever said of a transaction, in the order in which it was applied.
create table network_transaction_revisions (
  transaction_id  uuid not null references network_transactions (id),
  revision_number integer not null check (revision_number >= 1),
  revision_hash   text not null,
  raw             jsonb not null,
  modified_at     timestamptz not null,
  observed_at     timestamptz not null,
  recorded_at     timestamptz not null,
  primary key (transaction_id, revision_number)
);
create trigger network_transaction_revisions_fixed before update or delete on network_transaction_revisions
  for each row execute function refuse_change();
create trigger network_transaction_revisions_kept before truncate on network_transaction_revisions
  for each statement execute function refuse_change();

-- How far each pass over a network's report has read.
create table network_passes (
  network_id    uuid not null references networks (id),
  pass          text not null check (pass in ('transaction', 'validation', 'amendment', 'payment')),
  covered_until timestamptz not null,
  ran_at        timestamptz not null,
  last_error    text,
  primary key (network_id, pass)
);
