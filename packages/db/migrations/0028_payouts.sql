-- Payouts (C6): members' bank details, withdrawals, the batches that are sent to the bank, and holds. docs/payouts.md
-- explains the states and the transfers behind each.

--!include check_payout_change.sql
--!include refuse_change.sql

-- The smallest balance that can be withdrawn.
alter table brands add column payout_threshold_pence bigint not null default 1000
  check (payout_threshold_pence between 1 and 100000);

-- 'member_in_transit': asked for and on its way. 'club_bonuses': what bonuses have cost the club (C8).
alter table ledger_accounts drop constraint ledger_accounts_account_kind_check;
alter table ledger_accounts add constraint ledger_accounts_account_kind_check check (account_kind in (
  'member_tracked', 'member_confirmed', 'member_payable', 'member_in_transit', 'member_paid',
  'network_expected', 'network_approved', 'network_received',
  'club_expected', 'club_approved', 'club_earned', 'club_given_up', 'club_bonuses',
  'card_received', 'payment_held'));

-- Links of mails about changed bank details: "This was not me".
alter table member_tokens drop constraint member_tokens_purpose_check;
alter table member_tokens add constraint member_tokens_purpose_check check (purpose in (
  'confirm-email', 'reset-password', 'add-email', 'undo-email-change', 'remove-bank-details'));

create table bank_details (
  member_id    uuid primary key,
  brand_id     uuid not null,
  -- Name, sort code and account number: AES-256-GCM, with the id of the key in front, bound to the member.
  sealed       text not null check (length(sealed) between 40 and 2000),
  -- A keyed hash of sort code and account number: tells whether two members named the same account (C8).
  account_mark bytea not null check (length(account_mark) = 32),
  changed_at   timestamptz not null,
  -- Until then nothing is paid to the account.
  usable_from  timestamptz not null check (usable_from >= changed_at),
  constraint bank_details_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index bank_details_mark on bank_details (account_mark);

-- Withdrawals that are stopped because of suspected fraud. One is open per member until an operator lifts it.
create table payout_holds (
  id        uuid primary key,
  public_id text not null unique default random_public_id(),
  brand_id  uuid not null,
  member_id uuid not null,
  reason    text not null check (length(reason) between 3 and 500),
  placed_by text not null check (length(placed_by) between 1 and 100),
  placed_at timestamptz not null,
  lifted_by text check (length(lifted_by) between 1 and 100),
  lifted_at timestamptz,
  check ((lifted_by is null) = (lifted_at is null)),
  constraint payout_holds_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id)
);
create unique index payout_holds_open on payout_holds (member_id) where lifted_at is null;

create table payout_batches (
  id             uuid primary key,
  batch_number   integer generated always as identity unique,
  method         text not null check (method in ('bank', 'gift-card')),
  made_at        timestamptz not null,
  made_by        text not null check (length(made_by) between 1 and 100),
  processing_day date not null,
  entry_day      date not null check (entry_day > processing_day),
  confirmed_at   timestamptz,
  confirmed_by   text check (length(confirmed_by) between 1 and 100),
  check ((confirmed_at is null) = (confirmed_by is null))
);
create trigger payout_batches_kept before delete on payout_batches for each row execute function refuse_change();

create table payouts (
  id             uuid primary key,
  public_id      text not null unique default random_public_id(),
  brand_id       uuid not null,
  member_id      uuid not null,
  closure_id     uuid references closures (id),            -- the last payout of a member who leaves
  method         text not null check (method in ('bank', 'gift-card')),
  state          text not null check (state in ('requested', 'processing', 'paid', 'failed', 'returned')),
  version        integer not null default 1 check (version >= 1),
  amount_pence   bigint not null check (amount_pence > 0),
  -- What the bank's files name the payment by.
  bank_reference text not null unique check (bank_reference ~ '^[A-Z0-9]{12}$'),
  batch_id       uuid references payout_batches (id),
  -- The sealed details that it is paid to, fixed when it joins a batch; wiped when it can no longer be returned.
  payee          text,
  reason         text check (reason ~ '^[a-z]+(_[a-z]+)*$'),
  bank_said      text check (length(bank_said) <= 200),
  -- Why it did not join the last batch.
  last_error     text check (length(last_error) <= 500),
  requested_at   timestamptz not null,
  requested_by   text not null default 'member' check (length(requested_by) between 1 and 100),
  processing_at  timestamptz,
  paid_at        timestamptz,
  failed_at      timestamptz,
  returned_at    timestamptz,
  check ((state = 'processing' or state = 'paid' or state = 'returned') <= (batch_id is not null and processing_at is not null)),
  check (state not in ('paid', 'returned') or paid_at is not null),
  check ((state = 'failed') = (failed_at is not null)),
  check ((state = 'returned') = (returned_at is not null)),
  check ((state in ('failed', 'returned')) = (reason is not null)),
  constraint payouts_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id)
);
-- A member has one payout under way, whatever many requests do at the same time.
create unique index payouts_open on payouts (member_id) where state in ('requested', 'processing');
create index payouts_member on payouts (member_id, requested_at desc);
create index payouts_batch on payouts (batch_id) where batch_id is not null;
create index payouts_requested on payouts (requested_at) where state = 'requested';
create index payouts_payee on payouts (processing_at) where payee is not null;
create index payouts_closure on payouts (closure_id) where closure_id is not null;
create trigger payouts_lifecycle before update on payouts for each row execute function check_payout_change();
create trigger payouts_kept before delete on payouts for each row execute function refuse_change();

-- The cashback that a payout was asked for: it is paid when the payout is.
create table payout_entries (
  payout_id uuid not null references payouts (id),
  entry_id  uuid not null references cashback_entries (id),
  primary key (payout_id, entry_id)
);
create index payout_entries_entry on payout_entries (entry_id);
