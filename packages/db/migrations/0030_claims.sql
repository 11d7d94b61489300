-- Claims (C7): what a member says of a purchase that never tracked, tracked with too small an amount, or was declined
-- wrongly. docs/claims.md explains the states.

--!include check_claim_change.sql
--!include random_public_id.sql

-- When claims can be filed at a retailer, and whether they need evidence. A retailer without a row has the defaults of
-- packages/core/claims/rules.ts.
create table claim_rules (
  retailer_id       uuid primary key references retailers (id) on delete cascade,
  opens_after_days  integer check (opens_after_days between 0 and 365),  -- null: what is usual at the retailer
  closes_after_days integer not null check (closes_after_days between 1 and 730),
  needs_evidence    boolean not null,
  check (opens_after_days < closes_after_days)
);

-- Claims that were written to one file for a network without an API.
create table claim_packs (
  id          uuid primary key,
  pack_number integer generated always as identity unique,
  network_id  uuid not null references networks (id),
  made_at     timestamptz not null,
  made_by     text not null check (length(made_by) between 1 and 100)
);

create table claims (
  id               uuid primary key,
  public_id        text not null unique default random_public_id(),
  brand_id         uuid not null,
  member_id        uuid not null,
  click_id         uuid not null references clicks (id),
  retailer_id      uuid not null references retailers (id),
  programme_id     uuid not null references programmes (id),
  network_id       uuid not null references networks (id),
  entry_id         uuid references cashback_entries (id),  -- the purchase that is wrong; null: none tracked
  kind             text not null check (kind in ('untracked', 'incorrect', 'declined')),
  state            text not null check (state in (
                     'waiting', 'incomplete', 'open', 'filed', 'accepted', 'credited', 'declined', 'withdrawn', 'expired')),
  version          integer not null default 1 check (version >= 1),
  order_reference  text not null check (order_reference ~ '^[!-~]([ -~]{0,58}[!-~])?$'),
  -- What the network's order number is compared with.
  order_key        text generated always as (upper(ltrim(btrim(order_reference), '#'))) stored,
  purchased_on     date not null,
  sale_pence       bigint not null check (sale_pence between 1 and 10000000),
  needs_evidence   boolean not null,
  opens_at         timestamptz not null,                   -- filed no earlier
  closes_at        timestamptz not null,                   -- filed no later
  -- What is missing, in words for the member; null in `incomplete`: the evidence.
  asked            text check (length(asked) between 1 and 500),
  -- Of the last decision. The answer is the retailer's words, or an operator's.
  reason_code      text check (reason_code ~ '^[a-z]+(_[a-z]+)*$'),
  answer           text check (length(answer) between 1 and 500),
  decided_at       timestamptz,
  appeal           text check (length(appeal) between 1 and 1000),  -- what the member says against a decline
  filings          integer not null default 0 check (filings between 0 and 2),
  auto_approves_at timestamptz,
  credited_transaction_id uuid references network_transactions (id),
  made_at          timestamptz not null,
  changed_at       timestamptz not null,
  -- Due work: when the worker opens, files, asks about or expires it; while a worker has it, when the lease ends.
  awaits_pack      boolean not null default false,         -- no API takes it: it waits for an operator's pack
  next_step_at     timestamptz not null,
  attempts         integer not null default 0 check (attempts >= 0),
  last_error       text,
  given_up_at      timestamptz,
  check (closes_at > opens_at),
  check ((kind = 'untracked') = (entry_id is null)),
  check (state not in ('filed', 'accepted') or filings > 0),
  check (state <> 'declined' or (decided_at is not null and reason_code is not null)),
  constraint claims_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
-- One claim about an order, whatever many requests do at the same time. One that was declined is appealed instead.
create unique index claims_one_per_order on claims (member_id, retailer_id, order_key)
  where state not in ('withdrawn', 'expired', 'credited');
create index claims_member on claims (member_id, made_at desc);
create index claims_click on claims (click_id);
create index claims_order on claims (network_id, order_key);
create index claims_due on claims (next_step_at)
  where given_up_at is null and not awaits_pack and state in ('waiting', 'incomplete', 'open', 'filed');
create index claims_by_hand on claims (network_id, made_at) where awaits_pack;
create index claims_entry on claims (entry_id) where entry_id is not null;
create trigger claims_lifecycle before update on claims for each row execute function check_claim_change();

-- What happened to a claim, and by whom.
create table claim_changes (
  claim_id   uuid not null references claims (id) on delete cascade,
  version    integer not null,
  state      text not null,
  made_by    text not null check (length(made_by) between 1 and 100),
  note       text check (length(note) <= 500),
  changed_at timestamptz not null,
  -- Whether its member has yet to be written to about it.
  is_to_tell boolean not null,
  primary key (claim_id, version)
);
create index claim_changes_to_tell on claim_changes (changed_at) where is_to_tell;

-- One filing with a network: the first, and the appeal.
create table claim_filings (
  claim_id         uuid not null references claims (id) on delete cascade,
  filing           integer not null check (filing in (1, 2)),
  -- What the network names it by: random, never a person.
  reference        text not null unique check (reference ~ '^[A-Za-z0-9_-]{16,32}$'),
  kind             text not null check (kind in ('untracked', 'incorrect', 'declined')),
  network_claim_id text,
  pack_id          uuid references claim_packs (id),       -- null: filed through the network's API
  filed_at         timestamptz,                            -- null: not known to have arrived
  primary key (claim_id, filing)
);
create index claim_filings_pack on claim_filings (pack_id) where pack_id is not null;

-- A visit of which a network pushed a sale that its report does not have: the member is asked whether they bought something.
create table claim_proposals (
  click_id     uuid primary key references clicks (id),
  brand_id     uuid not null,
  member_id    uuid not null,
  proposed_at  timestamptz not null,
  dismissed_at timestamptz,
  constraint claim_proposals_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index claim_proposals_member on claim_proposals (member_id, proposed_at desc);
create index network_events_unconfirmed on network_events (handled_at) where status = 'unconfirmed';

-- Evidence is an attachment of a claim. A claim may have several, proof of membership one.
alter table attachments alter column request_id drop not null;
alter table attachments add column claim_id uuid references claims (id) on delete cascade;
alter table attachments add constraint attachments_of_one check (num_nonnulls(request_id, claim_id) = 1);
create index attachments_claim on attachments (claim_id) where claim_id is not null;
alter table attachment_deletions alter column request_id drop not null;
alter table attachment_deletions add column claim_id uuid;

-- A sale that came back without its click, while two claims name its order.
alter table network_transactions drop constraint network_transactions_held_because_check;
alter table network_transactions add constraint network_transactions_held_because_check check (held_because in (
  'no_reference', 'unknown_reference', 'unknown_programme', 'other_retailer', 'no_exchange_rate', 'claims_conflict'));
create index network_transactions_held_order on network_transactions (network_id, upper(ltrim(btrim(order_reference), '#')))
  where held_because is not null;

-- How long a retailer takes from the click until a purchase shows: 95 of 100 are there by then.
alter table cashback_timings drop constraint cashback_timings_step_check;
alter table cashback_timings add constraint cashback_timings_step_check check (step in ('tracking', 'confirmation', 'payment'));
alter table cashback_timings add column p95_days integer check (p95_days >= p90_days);
