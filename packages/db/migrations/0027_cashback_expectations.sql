-- When a member can expect their cashback (C3): how long retailers have taken, what was promised for each purchase and
-- why that changed, and which purchases are watched. Also what a member's months amount to, and the terms of a click.

--!include refuse_change.sql
--!include count_cashback_months.sql

-- How long one step took in the last year, in whole days: at a retailer, and at all retailers of a network.
create table cashback_timings (
  subject_id    uuid not null,                             -- of retailers or networks
  step          text not null check (step in ('confirmation', 'payment')),
  sample        integer not null check (sample > 0),
  p50_days      integer not null check (p50_days >= 0),
  p90_days      integer not null check (p90_days >= p50_days),
  worked_out_at timestamptz not null,
  primary key (subject_id, step)
);

-- Each date range that a member was told, with the reason for the latest one. Null dates: none can be told.
create table cashback_expectations (
  entry_id      uuid not null references cashback_entries (id),
  revision      integer not null check (revision >= 1),
  awaits        text not null check (awaits in ('confirmation', 'payment')),
  expected_from timestamptz,
  expected_to   timestamptz,
  reason        text not null check (reason in ('promised', 'history', 'network_date', 'confirmed', 'journey')),
  made_at       timestamptz not null,
  primary key (entry_id, revision),
  check ((expected_from is null) = (expected_to is null)),
  check (expected_to >= expected_from)
);
create trigger cashback_expectations_fixed before update or delete on cashback_expectations
  for each row execute function refuse_change();
create trigger cashback_expectations_kept before truncate on cashback_expectations
  for each statement execute function refuse_change();

-- A purchase that is tracked or confirmed: what is expected of it now, and when it is looked at next (due work).
-- Deleted once it is payable or declined.
create table cashback_watches (
  entry_id       uuid primary key references cashback_entries (id),
  member_id      uuid not null references members (id) on delete cascade,
  awaits         text not null check (awaits in ('confirmation', 'payment')),
  revision       integer not null,
  expected_from  timestamptz,
  expected_to    timestamptz,
  cashback_pence bigint not null,                          -- of the entry, for the sums of the money page
  overdue_since  timestamptz,                              -- null: not overdue
  next_look_at   timestamptz not null,
  attempts       integer not null default 0,
  last_error     text,
  check ((expected_from is null) = (expected_to is null))
);
create index cashback_watches_due on cashback_watches (next_look_at);
create index cashback_watches_coming on cashback_watches (member_id, expected_to, entry_id)
  include (cashback_pence, overdue_since, awaits);

-- What a member's purchases of one month amount to, by where they stand; a trigger keeps it. London's months.
create table cashback_months (
  member_id       uuid not null references members (id) on delete cascade,
  month           date not null check (extract(day from month) = 1),
  purchases       integer not null,
  tracked_pence   bigint not null,
  confirmed_pence bigint not null,
  payable_pence   bigint not null,
  paid_pence      bigint not null,
  declined_pence  bigint not null,
  primary key (member_id, month)
);

insert into cashback_months (member_id, month, purchases, tracked_pence, confirmed_pence, payable_pence, paid_pence, declined_pence)
select member_id, date_trunc('month', purchased_at at time zone 'Europe/London')::date,
  count(*) filter (where entry_kind = 'purchase'),
  coalesce(sum(cashback_pence) filter (where state = 'tracked'), 0),
  coalesce(sum(cashback_pence) filter (where state = 'confirmed'), 0),
  coalesce(sum(cashback_pence) filter (where state = 'payable'), 0),
  coalesce(sum(cashback_pence) filter (where state = 'paid'), 0),
  coalesce(sum(cashback_pence) filter (where state = 'declined'), 0)
from cashback_entries group by 1, 2;

create trigger cashback_entries_counted after insert on cashback_entries
  referencing new table as fresh for each statement execute function count_cashback_months();
create trigger cashback_entries_recounted after update on cashback_entries
  referencing old table as was new table as fresh for each statement execute function count_cashback_months();

-- Purchases that are open today: what was promised stands as the first revision, and the worker looks at each at once.
insert into cashback_expectations (entry_id, revision, awaits, expected_from, expected_to, reason, made_at)
select id, 1, 'confirmation', confirm_expected_from, confirm_expected_to,
  case when confirm_expected_from is null then 'journey' else 'promised' end, created_at
from cashback_entries where entry_kind = 'purchase' and state = 'tracked';
insert into cashback_expectations (entry_id, revision, awaits, expected_from, expected_to, reason, made_at)
select id, 1, 'payment', null, null, 'confirmed', confirmed_at
from cashback_entries where entry_kind = 'purchase' and state = 'confirmed';
insert into cashback_watches (entry_id, member_id, awaits, revision, expected_from, expected_to, cashback_pence, next_look_at)
select entry.id, entry.member_id, told.awaits, 1, told.expected_from, told.expected_to, entry.cashback_pence, now()
from cashback_entries entry join cashback_expectations told on told.entry_id = entry.id;

-- Purchases at one retailer, newest first: the search of the money page.
create index cashback_entries_at_retailer on cashback_entries (member_id, retailer_id, purchased_at desc, id desc);

-- The terms that clicks were made under, by their hash: what a receipt prints (C5). Written once.
create table click_terms (
  terms_hash  text primary key check (terms_hash ~ '^[0-9a-f]{64}$'),
  terms       text not null,
  first_at    timestamptz not null
);
create trigger click_terms_fixed before update or delete on click_terms for each row execute function refuse_change();
create trigger click_terms_kept before truncate on click_terms for each statement execute function refuse_change();
