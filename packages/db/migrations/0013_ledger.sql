-- The double-entry ledger (C4). Rows are written once; a correction is a new transfer. docs/ledger.md explains
-- accounts, kinds and signs. A transfer updates no row, so no account is a hot row: totals are folded separately.
-- Transfers are posted by the function post_ledger_transfer.

--!include refuse_change.sql
--!include check_ledger_entries.sql
--!include check_ledger_transfer.sql

-- Where money stands. Exactly one account of a kind per member or network, and one per kind for the club itself.
create table ledger_accounts (
  id           uuid primary key,                           -- derived from kind and owner: posting needs no look-up
  account_kind text not null check (account_kind in (
    'member_tracked', 'member_confirmed', 'member_payable', 'member_paid',
    'network_expected', 'network_approved', 'network_received',
    -- 'club_given_up': what a member who has left gave up, or what came in for them afterwards.
    'club_expected', 'club_approved', 'club_earned', 'club_given_up',
    'card_received', 'payment_held')),
  member_id    uuid references members (id),
  network_id   uuid references networks (id),
  currency     text not null default 'GBP' check (currency = 'GBP'),
  created_at   timestamptz not null default now(),
  unique nulls not distinct (account_kind, member_id, network_id),
  check ((account_kind like 'member\_%') = (member_id is not null)),
  check ((account_kind like 'network\_%') = (network_id is not null))
);
create index ledger_accounts_member on ledger_accounts (member_id) where member_id is not null;

create table ledger_transfers (
  id            uuid primary key,
  transfer_key  text not null unique check (length(transfer_key) between 1 and 200),  -- makes posting idempotent
  transfer_kind text not null check (transfer_kind ~ '^[a-z]+(_[a-z]+)*$'),
  content_hash  bytea not null check (length(content_hash) = 32),  -- of kind, cause and entries
  cause_kind    text not null check (cause_kind ~ '^[a-z]+(_[a-z]+)*$'),  -- what it was posted for: 'cashback_entry'
  cause_id      uuid not null,
  happened_at   timestamptz not null,
  recorded_at   timestamptz not null default now(),
  xact_id       xid8 not null default pg_current_xact_id()
);
-- Totals are folded by transfer: one index entry instead of one per ledger entry.
create index ledger_transfers_xact on ledger_transfers (xact_id);

-- One leg of a transfer: a positive amount goes into the account, a negative one comes out of it. check_ledger_entries
-- stands in for the foreign keys: they would be checked for every entry, and would lock the row of the transfer and of
-- a busy account.
create table ledger_entries (
  transfer_id  uuid not null,
  account_id   uuid not null,
  amount_pence bigint not null check (amount_pence <> 0),
  xact_id      xid8 not null default pg_current_xact_id(),
  primary key (transfer_id, account_id)
);
create index ledger_entries_account on ledger_entries (account_id, xact_id) include (amount_pence);

-- Totals of all entries whose transaction id is below the watermark. Transactions with ids below pg_snapshot_xmin have
-- ended, so an entry in flight is never folded over and never missed.
create table ledger_totals (
  account_id  uuid primary key references ledger_accounts (id),
  total_pence bigint not null,
  updated_at  timestamptz not null default now()
);
create table ledger_watermark (
  only_row     boolean primary key default true check (only_row),
  folded_below xid8 not null,
  folded_at    timestamptz not null default now()
);
insert into ledger_watermark (folded_below) values ('0');

create trigger ledger_entries_sound after insert on ledger_entries
  referencing new table as fresh for each statement execute function check_ledger_entries();
create constraint trigger ledger_transfers_balance after insert on ledger_transfers
  deferrable initially deferred for each row execute function check_ledger_transfer();

create trigger ledger_accounts_fixed before update or delete on ledger_accounts
  for each row execute function refuse_change();
create trigger ledger_accounts_kept before truncate on ledger_accounts
  for each statement execute function refuse_change();
create trigger ledger_transfers_fixed before update or delete on ledger_transfers
  for each row execute function refuse_change();
create trigger ledger_transfers_kept before truncate on ledger_transfers
  for each statement execute function refuse_change();
create trigger ledger_entries_fixed before update or delete on ledger_entries
  for each row execute function refuse_change();
create trigger ledger_entries_kept before truncate on ledger_entries
  for each statement execute function refuse_change();
