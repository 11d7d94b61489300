-- Brands: members' clubs on one deployment (B1-B5). Members, sessions and visible offers belong to a brand; the
-- catalogue (0009) is shared.

create extension if not exists pg_trgm;
create extension if not exists unaccent;
create extension if not exists btree_gist;

create table brands (
  id            uuid primary key,
  slug          text not null unique check (slug ~ '^[a-z][a-z0-9-]{1,39}$'),
  name          text not null check (length(name) between 1 and 60),
  strapline     text not null check (length(strapline) <= 160),
  audience      text not null,                             -- "teachers and school staff"
  theme         text not null check (theme ~ '^[a-z][a-z0-9-]{1,39}$'),
  affinity_id   text not null unique,                      -- telemetry's affinityId (T2)
  support_email text not null,
  -- Switches: telemetry, loginConfetti, carerMigration, appExclusive, giftCards.
  features      jsonb not null default '{}'::jsonb,
  store_links   jsonb not null default '{}'::jsonb,        -- { ios, android }
  menu          jsonb not null default '[]'::jsonb,        -- three-level menu
  banner        jsonb,                                     -- { id, text, href } or null
  home          jsonb not null                             -- the sections of the home page, from top to bottom (D1)
    default '["offers", "logos", "lead", "cashback", "how", "categories", "latest", "ending"]'::jsonb,
  registration  jsonb not null                             -- who may join: { minimumAge, residence: ["GB", …] }
    default '{"minimumAge": 18, "residence": ["GB", "IM", "JE", "GG"]}'::jsonb,
  is_default    boolean not null default false,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now()
);
create unique index brands_one_default on brands (is_default) where is_default;

create table brand_hosts (
  host     text primary key check (host = lower(host) and host !~ '[:/ ]'),  -- without port
  brand_id uuid not null references brands (id) on delete cascade,
  -- E-mails lead to it; without one, to the most name-like host.
  is_main  boolean not null default false
);
create index brand_hosts_brand on brand_hosts (brand_id);
create unique index brand_hosts_one_main on brand_hosts (brand_id) where is_main;

-- Terms, privacy and similar pages. A page without a brand serves every brand that has no page of the same slug. Its
-- text names the brand by placeholders, so a new brand has all pages at once.
create table legal_pages (
  id         uuid primary key,
  brand_id   uuid references brands (id) on delete cascade,
  slug       text not null check (slug ~ '^[a-z][a-z0-9-]{1,39}$'),
  title      text not null check (length(title) between 1 and 80),
  summary    text not null check (length(summary) between 1 and 200),  -- one sentence: what the page says
  body       text not null check (length(body) between 1 and 60000),
  position   integer not null,
  updated_on date not null,                                -- shown to readers: the day the words changed
  constraint legal_pages_one_each unique nulls not distinct (brand_id, slug)
);
