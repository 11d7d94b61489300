-- Brands: eight members' clubs on one deployment (product.md B1–B5). Everything a member, session or visible offer
-- belongs to hangs off brands.id; the catalogue itself (0002) is shared.

create extension if not exists pg_trgm;
create extension if not exists unaccent;

create table brands (
  id            uuid primary key,
  slug          text not null unique check (slug ~ '^[a-z][a-z0-9-]{1,39}$'),
  name          text not null check (length(name) between 1 and 60),
  strapline     text not null check (length(strapline) <= 160),
  audience      text not null,                                  -- "teachers and school staff"
  theme         text not null check (theme ~ '^[a-z][a-z0-9-]{1,39}$'),
  affinity_id   text not null unique,                           -- telemetry's affinityId (seed section 3)
  support_email text not null,
  features      jsonb not null default '{}'::jsonb,             -- switches: telemetry, loginConfetti, carerMigration, appExclusive, giftCards
  store_links   jsonb not null default '{}'::jsonb,             -- { ios, android }
  menu          jsonb not null default '[]'::jsonb,             -- three-level menu
  banner        jsonb,                                          -- { id, text, href } or null
  is_default    boolean not null default false,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now()
);
create unique index brands_one_default on brands (is_default) where is_default;

create table brand_hosts (
  host     text primary key check (host = lower(host) and host !~ '[:/ ]'),  -- without port
  brand_id uuid not null references brands (id) on delete cascade
);
create index brand_hosts_brand on brand_hosts (brand_id);
