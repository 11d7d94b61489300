-- "Did it work?" (product.md O4): what a member says of a code that was revealed to them; one vote a day, the last one said counts.
create table code_votes (
  id        uuid primary key,
  member_id uuid not null references members (id) on delete cascade,
  code_id   uuid not null references offer_codes (id) on delete cascade,
  offer_id  uuid not null references offers (id) on delete cascade,
  outcome   text not null check (outcome in ('worked', 'failed')),
  voted_on  date not null,                                      -- by the clock in London
  voted_at  timestamptz not null,
  unique (member_id, code_id, voted_on)
);
create index code_votes_offer on code_votes (offer_id, voted_at desc);
create index code_votes_code on code_votes (code_id);

-- Pools that run low (under 5 % free) or dry, for operators: one open row per pool and level, ended when it is filled again.
create table code_pool_alarms (
  id          uuid primary key,
  offer_id    uuid not null references offers (id) on delete cascade,
  variant_id  uuid references offer_variants (id) on delete cascade,   -- null: the pool for every variant
  level       text not null check (level in ('low', 'empty')),
  codes_free  integer not null check (codes_free >= 0),
  codes_total integer not null check (codes_total >= codes_free),
  raised_at   timestamptz not null,
  ended_at    timestamptz
);
create unique index code_pool_alarms_open on code_pool_alarms (offer_id, coalesce(variant_id, offer_id), level) where ended_at is null;
create index code_pool_alarms_offer on code_pool_alarms (offer_id);

-- Counts a pool without reading the whole offer's codes.
create index offer_codes_pool on offer_codes (offer_id, variant_id) where code_kind = 'pool';
