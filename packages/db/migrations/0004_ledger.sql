-- The double-entry ledger (product.md C4). Rows are written once; a correction is a new transfer. docs/ledger.md explains
-- accounts, kinds and signs. Nothing here is updated per transfer, so no account is a hot row: totals are folded aside.

-- For every table whose rows are evidence: written once, never changed, never removed.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is refused: its rows are written once and corrected by new rows', lower(tg_op), tg_table_name
    using errcode = 'restrict_violation';
end $$;

-- Where money stands. Exactly one account of a kind per member or network, and one per kind for the club itself.
create table ledger_accounts (
  id           uuid primary key,                 -- worked out from kind and owner: posting needs no look-up
  account_kind text not null check (account_kind in (
    'member_tracked', 'member_confirmed', 'member_payable', 'member_paid',
    'network_expected', 'network_approved', 'network_received',
    'club_expected', 'club_approved', 'club_earned')),
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
  transfer_key  text not null unique check (length(transfer_key) between 1 and 200),  -- what makes posting it twice harmless
  transfer_kind text not null check (transfer_kind ~ '^[a-z]+(_[a-z]+)*$'),
  content_hash  bytea not null check (length(content_hash) = 32),                     -- of kind, cause and legs
  cause_kind    text not null check (cause_kind ~ '^[a-z]+(_[a-z]+)*$'),              -- what it was posted for: 'cashback_entry'
  cause_id      uuid not null,
  happened_at   timestamptz not null,
  recorded_at   timestamptz not null default now(),
  xact_id       xid8 not null default pg_current_xact_id()
);
create index ledger_transfers_cause on ledger_transfers (cause_kind, cause_id);

-- One leg of a transfer: a positive amount goes into the account, a negative one comes out of it.
create table ledger_entries (
  transfer_id  uuid not null references ledger_transfers (id),
  account_id   uuid not null,                    -- checked by the trigger below: a foreign key would lock a hot account's row
  amount_pence bigint not null check (amount_pence <> 0),
  xact_id      xid8 not null default pg_current_xact_id(),
  primary key (transfer_id, account_id)
);
create index ledger_entries_account on ledger_entries (account_id, xact_id) include (amount_pence);
create index ledger_entries_xact on ledger_entries (xact_id);

-- Totals of all entries whose transaction id is below the watermark. Transaction ids below pg_snapshot_xmin are all
-- decided, so an entry still in flight is never folded over and never missed.
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

create function check_ledger_entry() returns trigger language plpgsql as $$
declare
  transfer_xact xid8;
  total numeric;
begin
  select xact_id into transfer_xact from ledger_transfers where id = new.transfer_id;
  if new.xact_id <> pg_current_xact_id() or transfer_xact <> pg_current_xact_id() then
    raise exception 'transfer % is closed: its entries are written in the transaction that made it', new.transfer_id
      using errcode = 'restrict_violation';
  end if;
  if not exists (select from ledger_accounts where id = new.account_id) then
    raise exception 'ledger account % does not exist', new.account_id using errcode = 'foreign_key_violation';
  end if;
  -- After a restore into a new cluster transaction ids start again: then totals must be rebuilt before anything is posted.
  if new.xact_id < (select folded_below from ledger_watermark) then
    raise exception 'ledger totals are ahead of this database: run the ledger check with --rebuild first'
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  select sum(amount_pence) into total from ledger_entries where transfer_id = new.transfer_id;
  if total <> 0 then
    raise exception 'transfer % does not balance: its entries sum to % pence', new.transfer_id, total
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_entries_balance after insert on ledger_entries
  deferrable initially deferred for each row execute function check_ledger_entry();

create function check_ledger_transfer() returns trigger language plpgsql as $$
begin
  if not exists (select from ledger_entries where transfer_id = new.id) then
    raise exception 'transfer % has no entries', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_transfers_not_empty after insert on ledger_transfers
  deferrable initially deferred for each row execute function check_ledger_transfer();

create trigger ledger_accounts_fixed before update or delete on ledger_accounts for each row execute function refuse_change();
create trigger ledger_accounts_kept before truncate on ledger_accounts for each statement execute function refuse_change();
create trigger ledger_transfers_fixed before update or delete on ledger_transfers for each row execute function refuse_change();
create trigger ledger_transfers_kept before truncate on ledger_transfers for each statement execute function refuse_change();
create trigger ledger_entries_fixed before update or delete on ledger_entries for each row execute function refuse_change();
create trigger ledger_entries_kept before truncate on ledger_entries for each statement execute function refuse_change();
