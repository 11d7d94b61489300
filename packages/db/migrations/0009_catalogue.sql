-- The shared catalogue: networks' programmes become retailers, their promotions become offers (O1-O7, C2, C5).
-- Public ids are random tokens, never sequential. Money is bigint pence; rates are basis points (1 % = 100).

--!include random_public_id.sql

create table networks (
  id          uuid primary key,
  -- 'awin', 'cj', 'impact', 'rakuten', 'partnerize'.
  slug        text not null unique check (slug ~ '^[a-z][a-z0-9-]{1,39}$'),
  name        text not null,
  -- The part of a network's commission that is passed on to the member, in basis points.
  member_share_bp integer not null default 10000 check (member_share_bp between 0 and 10000),
  created_at  timestamptz not null default now()
);

create table categories (
  id         uuid primary key,
  slug       text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name       text not null,
  body       text not null default '',
  position   integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table retailers (
  id            uuid primary key,
  slug          text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name          text not null check (length(name) between 1 and 80),
  short_info    text not null default '',
  long_info     text not null default '',
  homepage_url  text not null check (homepage_url ~ '^https?://'),
  status        text not null default 'active' check (status in ('active', 'paused', 'in_administration', 'closed')),
  accepts_claims boolean not null default true,
  adults_only   boolean not null default false,
  -- When the money moves, in days from the purchase (or from the stay, for travel).
  tracks_within_days_min   integer not null check (tracks_within_days_min >= 0),
  tracks_within_days_max   integer not null check (tracks_within_days_max >= tracks_within_days_min),
  confirms_within_days_min integer not null check (confirms_within_days_min >= 0),
  confirms_within_days_max integer not null check (confirms_within_days_max >= confirms_within_days_min),
  confirms_after text not null default 'purchase' check (confirms_after in ('purchase', 'travel', 'stay')),
  terms         text not null default '',                  -- what cashback is calculated on, exclusions
  popularity    integer not null default 0,                -- higher is shown first
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now()
);
create index retailers_popularity on retailers (popularity desc) where status = 'active';

create table retailer_categories (
  retailer_id uuid not null references retailers (id) on delete cascade,
  category_id uuid not null references categories (id) on delete cascade,
  is_main     boolean not null default false,
  primary key (retailer_id, category_id)
);
create index retailer_categories_category on retailer_categories (category_id);
create unique index retailer_categories_one_main on retailer_categories (retailer_id) where is_main;

-- A retailer's membership of a network. A retailer on two networks has two rows; the preferred one builds the links.
create table programmes (
  id                   uuid primary key,
  network_id           uuid not null references networks (id),
  network_programme_id text not null,                      -- the network's own id (Awin: advertiserId)
  retailer_id          uuid not null references retailers (id),
  name                 text not null,
  currency             text not null default 'GBP' check (currency ~ '^[A-Z]{3}$'),
  status               text not null check (status in ('joined', 'not_joined', 'suspended', 'closed')),
  is_preferred         boolean not null default true,
  landing_url          text not null check (landing_url ~ '^https?://'),
  valid_domains        text[] not null default '{}',
  created_at           timestamptz not null default now(),
  updated_at           timestamptz not null default now(),
  unique (network_id, network_programme_id)
);
create index programmes_retailer on programmes (retailer_id);
create unique index programmes_one_preferred on programmes (retailer_id) where is_preferred;

-- What a member earns at a retailer, per commission group of the programme. The lowest position is shown first.
create table rate_tiers (
  id                uuid primary key,
  programme_id      uuid not null references programmes (id) on delete cascade,
  network_group_id  text not null,                         -- the network's commission group id or code
  label             text not null,                         -- "New customers", "Sale items"
  basis             text not null default 'on the price without VAT and delivery',
  rate_kind         text not null check (rate_kind in ('percent', 'fixed')),
  member_rate_bp    integer check (member_rate_bp between 0 and 10000),
  member_rate_pence bigint check (member_rate_pence >= 0),
  network_rate_bp    integer check (network_rate_bp between 0 and 10000),
  network_rate_pence bigint check (network_rate_pence >= 0),
  cap_pence         bigint check (cap_pence > 0),          -- the maximum that a member can earn from one purchase
  position          integer not null default 0,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  unique (programme_id, network_group_id),
  check ((rate_kind = 'percent') = (member_rate_bp is not null)),
  check ((rate_kind = 'fixed') = (member_rate_pence is not null))
);

-- A higher rate in a time window (C5). The rate that held at the click is the one paid.
create table boosts (
  id                uuid primary key,
  rate_tier_id      uuid not null references rate_tiers (id) on delete cascade,
  member_rate_bp    integer check (member_rate_bp between 0 and 10000),
  member_rate_pence bigint check (member_rate_pence >= 0),
  starts_at         timestamptz not null,
  ends_at           timestamptz not null,
  created_at        timestamptz not null default now(),
  unique (rate_tier_id, starts_at),
  check (ends_at > starts_at),
  check ((member_rate_bp is null) <> (member_rate_pence is null))
);

create table offers (
  id               uuid primary key,
  public_id        text not null unique default random_public_id(),  -- the ID of /offers/:slug?offer=ID
  slug             text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  retailer_id      uuid not null references retailers (id),
  programme_id     uuid references programmes (id),        -- null: not sold through a network (in-store)
  network_id       uuid not null references networks (id),  -- where the offer came from
  network_offer_id text not null,                          -- its own id there (Awin: promotionId)
  kind             text not null check (kind in ('cashback', 'code', 'deal', 'in_store', 'gift_card', 'app_exclusive')),
  title            text not null check (length(title) between 1 and 200),
  description      text not null default '',
  terms            text not null default '',
  exclusions       text not null default '',
  -- What the member gets, in the largest type: "15% off", "6% back", "£10 off".
  headline         text not null default '',
  landing_url      text not null check (landing_url ~ '^https?://'),
  status           text not null default 'live' check (status in ('live', 'withdrawn')),
  adults_only      boolean not null default false,
  starts_at        timestamptz not null,
  ends_at          timestamptz,                            -- null: ongoing
  popularity       integer not null default 0,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  unique (network_id, network_offer_id),
  check (ends_at is null or ends_at > starts_at)
);
create index offers_retailer on offers (retailer_id) where status = 'live';
create index offers_popularity on offers (popularity desc) where status = 'live';
create index offers_latest on offers (starts_at desc) where status = 'live';
create index offers_ends on offers (ends_at) where status = 'live' and ends_at is not null;

create table offer_categories (
  offer_id    uuid not null references offers (id) on delete cascade,
  category_id uuid not null references categories (id) on delete cascade,
  primary key (offer_id, category_id)
);
create index offer_categories_category on offer_categories (category_id);

-- The choices of the offer page's variant select (O2): "Online", "In the outlet", "Child", "Adult".
create table offer_variants (
  id          uuid primary key,
  public_id   text not null unique default random_public_id(),  -- the offer_variant parameter
  offer_id    uuid not null references offers (id) on delete cascade,
  label       text not null check (length(label) between 1 and 80),
  landing_url text check (landing_url ~ '^https?://'),     -- null: the offer's own
  position    integer not null default 0,
  unique (offer_id, label)
);

-- Codes of an offer: one shared by all, or a pool in which each code goes to one member once (O4).
create table offer_codes (
  id          uuid primary key,
  offer_id    uuid not null references offers (id) on delete cascade,
  variant_id  uuid references offer_variants (id) on delete cascade,  -- null: every variant
  code_kind   text not null check (code_kind in ('shared', 'pool')),
  code        text not null check (length(code) between 1 and 60),
  member_id   uuid constraint offer_codes_member_fk references members (id),
  assigned_at timestamptz,
  check ((member_id is null) = (assigned_at is null)),
  check (code_kind = 'pool' or member_id is null),
  unique nulls not distinct (offer_id, variant_id, code)
);
create unique index offer_codes_one_shared on offer_codes (offer_id, coalesce(variant_id, offer_id)) where code_kind = 'shared';
-- A member has at most one code of an offer or variant (O4), whatever runs at the same time.
create unique index offer_codes_one_per_member on offer_codes (offer_id, coalesce(variant_id, offer_id), member_id) where member_id is not null;
create index offer_codes_free on offer_codes (offer_id, id) where code_kind = 'pool' and member_id is null;
create index offer_codes_member on offer_codes (member_id, offer_id) where member_id is not null;
-- Counts a pool without reading all codes of the offer.
create index offer_codes_pool on offer_codes (offer_id, variant_id) where code_kind = 'pool';

-- What each brand shows (B4): a retailer is on a brand's site when a row says so. Offers follow their retailer, unless
-- offer_brands names the only brands that an offer is for. The functions visible_retailers and live_offers apply the
-- rule.
create table brand_retailers (
  brand_id    uuid not null references brands (id) on delete cascade,
  retailer_id uuid not null references retailers (id) on delete cascade,
  is_featured boolean not null default false,
  primary key (brand_id, retailer_id)
);
create index brand_retailers_retailer on brand_retailers (retailer_id);

create table offer_brands (
  offer_id uuid not null references offers (id) on delete cascade,
  brand_id uuid not null references brands (id) on delete cascade,
  primary key (offer_id, brand_id)
);

-- Every import of a network's file or feed, or of the club's own editorial file; each is applied whole or refused.
create table catalogue_imports (
  id           uuid primary key,
  network_id   uuid not null references networks (id),
  source_name  text not null,                              -- file name or feed address, never a path on a machine
  content_kind text not null check (content_kind in ('programmes', 'promotions', 'codes', 'editorial')),
  -- Sha-256 of the bytes; the demo seed recognises an imported file by it.
  content_hash text not null,
  rows_read    integer not null,
  rows_created integer not null,
  rows_updated integer not null,
  rows_unchanged integer not null,
  rows_withdrawn integer not null default 0 check (rows_withdrawn >= 0),
  imported_at  timestamptz not null default now()
);
create index catalogue_imports_content on catalogue_imports (network_id, content_hash);
