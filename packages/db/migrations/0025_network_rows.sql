-- Networks beside Awin (C2): corrections that are rows of their own, leads, dates of locking and payment, and sales that a calendar settles.

alter table network_transactions
  add column transaction_kind text not null default 'sale' check (transaction_kind in ('sale', 'lead')),
  add column locks_at timestamptz,                         -- when the network stops accepting changes
  add column paid_at timestamptz,                          -- when the network paid the club, where it says so
  add column next_change_at timestamptz;                   -- when the network's calendar approves or pays the sale; null: no calendar
create index network_transactions_next_change on network_transactions (next_change_at) where next_change_at is not null;

-- A row of a network that corrects sales by further rows. A transaction is the sum of its rows; without an original they wait.
create table network_transaction_rows (
  network_id             uuid not null references networks (id),
  network_transaction_id text not null,
  network_row_id         text not null,                    -- the network's id of the row
  content                jsonb not null,                   -- the row in core's terms
  content_hash           text not null check (content_hash ~ '^[0-9a-f]{64}$'),
  raw                    jsonb not null,                   -- the row as the network sent it
  modified_at            timestamptz not null,
  observed_at            timestamptz not null,
  recorded_at            timestamptz not null,
  primary key (network_id, network_transaction_id, network_row_id)
);

alter table network_passes drop constraint network_passes_pass_check;
alter table network_passes
  add constraint network_passes_pass_check check (pass in ('transaction', 'validation', 'amendment', 'update', 'payment'));
