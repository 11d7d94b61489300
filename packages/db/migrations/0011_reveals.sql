-- Revealed codes, and what members say of them (O3, O4).

-- Each reveal of a code (O3): one row per spent token, so a token is worth one reveal.
create table code_reveals (
  id         uuid primary key,
  token_hash text not null unique,
  member_id  uuid not null references members (id) on delete cascade,
  offer_id   uuid not null references offers (id) on delete cascade,
  variant_id uuid references offer_variants (id) on delete cascade,
  -- The code that was shown, so that the member finds it again on later visits and on other devices, and learns when it
  -- was replaced (decision 026). Null: not known; such a reveal shows nothing again.
  code       text check (length(code) between 1 and 60),
  -- True where the member had been shown this code before. Such a reveal does not count against the limit on how fast
  -- one member collects codes.
  is_repeat  boolean not null default false,
  revealed_at timestamptz not null default now()
);
create index code_reveals_member on code_reveals (member_id, revealed_at desc);
create index code_reveals_member_offer on code_reveals (member_id, offer_id, revealed_at desc);
-- The latest codes that were new to a member: what the limit counts.
create index code_reveals_counted on code_reveals (member_id, revealed_at desc) where not is_repeat;

-- "Did it work?" (O4): what a member says of a code that was revealed to them. One vote a day; the last one counts.
create table code_votes (
  id        uuid primary key,
  member_id uuid not null references members (id) on delete cascade,
  code_id   uuid not null references offer_codes (id) on delete cascade,
  offer_id  uuid not null references offers (id) on delete cascade,
  outcome   text not null check (outcome in ('worked', 'failed')),
  voted_on  date not null,                                 -- the date in London
  voted_at  timestamptz not null,
  unique (member_id, code_id, voted_on)
);
create index code_votes_offer on code_votes (offer_id, voted_at desc);
create index code_votes_code on code_votes (code_id);

-- Pools that run low (under 5 % free) or empty, for operators: one open row per pool and level, which ends when the
-- pool is filled again.
create table code_pool_alarms (
  id          uuid primary key,
  offer_id    uuid not null references offers (id) on delete cascade,
  variant_id  uuid references offer_variants (id) on delete cascade,  -- null: the pool for every variant
  level       text not null check (level in ('low', 'empty')),
  codes_free  integer not null check (codes_free >= 0),
  codes_total integer not null check (codes_total >= codes_free),
  raised_at   timestamptz not null,
  ended_at    timestamptz
);
create unique index code_pool_alarms_open on code_pool_alarms (offer_id, coalesce(variant_id, offer_id), level) where ended_at is null;
create index code_pool_alarms_offer on code_pool_alarms (offer_id);
