-- Clicks (C1): one row per member sent to a retailer, committed before the redirect is sent. The row is the member's
-- proof, so it is written once and holds the rates and terms as they were.

--!include refuse_change.sql

create table clicks (
  id               uuid primary key,
  -- What the network carries: random, never a person.
  reference        text not null unique check (reference ~ '^[A-Za-z0-9_-]{22}$'),
  -- What the member quotes.
  click_number     text not null unique check (click_number ~ '^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$'),
  -- Brand, retailer and network follow from the member and the programme. Foreign keys of their own cost every group
  -- commit more than they are worth (bench/clicks).
  brand_id         uuid not null,
  member_id        uuid not null references members (id),
  retailer_id      uuid not null,
  programme_id     uuid not null references programmes (id),
  network_id       uuid not null,
  -- No foreign keys: an offer may leave the catalogue, the proof stays.
  offer_id         uuid,
  offer_variant_id uuid,
  target_url       text not null check (target_url ~ '^https?://'),
  rate_snapshot    jsonb not null,                         -- rateSnapshotSchema
  terms_hash       text not null check (terms_hash ~ '^[0-9a-f]{64}$'),
  created_at       timestamptz not null
);
create index clicks_member on clicks (member_id, created_at desc);
create trigger clicks_fixed before update or delete on clicks for each row execute function refuse_change();
create trigger clicks_kept before truncate on clicks for each statement execute function refuse_change();
