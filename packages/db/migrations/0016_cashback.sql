-- Cashback (C3): what a member earns from one network transaction, where it stands, and each change of it.

--!include check_cashback_change.sql
--!include notice_cashback_change.sql
--!include refuse_change.sql

create table cashback_entries (
  id                     uuid primary key,
  brand_id               uuid not null references brands (id),
  member_id              uuid not null references members (id),
  retailer_id            uuid not null references retailers (id),
  network_id             uuid not null references networks (id),
  click_id               uuid not null references clicks (id),
  network_transaction_id uuid not null references network_transactions (id),
  -- A purchase can be amended until it is payable; later changes by the network are corrections.
  entry_kind             text not null check (entry_kind in ('purchase', 'correction')),
  state                  text not null check (state in ('tracked', 'confirmed', 'payable', 'paid', 'declined')),
  version                integer not null default 1 check (version >= 1),  -- goes up by one with every change
  sale_pence             bigint not null,
  cashback_pence         bigint not null,                  -- negative only in corrections
  commission_pence       bigint not null,
  reason_code            text,
  confirm_expected_from  timestamptz,
  confirm_expected_to    timestamptz,
  purchased_at           timestamptz not null,
  tracked_at             timestamptz,
  confirmed_at           timestamptz,
  payable_at             timestamptz,
  paid_at                timestamptz,
  declined_at            timestamptz,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  check (entry_kind = 'correction' or (cashback_pence >= 0 and tracked_at is not null)),
  check (entry_kind = 'purchase' or state in ('payable', 'paid')),
  check (confirm_expected_to >= confirm_expected_from),
  check (state <> 'confirmed' or confirmed_at is not null),
  check (state <> 'payable' or payable_at is not null),
  check (state <> 'paid' or (payable_at is not null and paid_at is not null)),
  check (state <> 'declined' or declined_at is not null)
);
create unique index cashback_entries_one_purchase on cashback_entries (network_transaction_id) where entry_kind = 'purchase';
create index cashback_entries_transaction on cashback_entries (network_transaction_id);
create index cashback_entries_member on cashback_entries (member_id, purchased_at desc);
create index cashback_entries_payable on cashback_entries (member_id) where state = 'payable';
create trigger cashback_entries_lifecycle before update on cashback_entries
  for each row execute function check_cashback_change();
create trigger cashback_entries_kept before delete on cashback_entries for each row execute function refuse_change();

-- Every change, with the transfer that posted it: the history behind the timeline, and the source of notices.
create table cashback_changes (
  entry_id       uuid not null references cashback_entries (id),
  version        integer not null,
  change_kind    text not null check (change_kind in ('tracked', 'amended', 'confirmed', 'payable', 'paid', 'declined', 'reinstated', 'corrected')),
  state          text not null,
  cashback_pence bigint not null,
  difference_pence bigint not null,
  reason_code    text,
  transfer_id    uuid references ledger_transfers (id),    -- null: no money moved (a purchase tracked at zero)
  changed_at     timestamptz not null,
  primary key (entry_id, version)
);
create index cashback_changes_changed on cashback_changes (changed_at);
create trigger cashback_changes_fixed before update or delete on cashback_changes
  for each row execute function refuse_change();
create trigger cashback_changes_kept before truncate on cashback_changes
  for each statement execute function refuse_change();
create trigger cashback_changes_noticed after insert on cashback_changes
  for each row execute function notice_cashback_change();

-- A change of cashback that its member has not been written to about (M9): inserted in the transaction of the change,
-- deleted in the transaction of the mail.
create table cashback_notices (
  entry_id   uuid not null,
  version    integer not null,
  member_id  uuid not null references members (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  primary key (entry_id, version),
  foreign key (entry_id, version) references cashback_changes (entry_id, version)
);
create index cashback_notices_member on cashback_notices (member_id, created_at);
create index cashback_notices_created on cashback_notices (created_at);

-- How a retailer has dealt with members' purchases in the last year, calculated by the worker. Shown before the click
-- (D3).
create table retailer_scorecards (
  retailer_id         uuid primary key references retailers (id) on delete cascade,
  purchases           integer not null check (purchases >= 0),
  tracked_in_time     integer not null check (tracked_in_time between 0 and purchases),
  decided             integer not null check (decided >= 0),
  declined            integer not null check (declined between 0 and decided),
  median_confirm_days integer check (median_confirm_days >= 0),  -- from the purchase; null: none confirmed yet
  worked_out_at       timestamptz not null
);
