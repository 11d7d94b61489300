-- What a member keeps (D10): favourites, recently viewed offers (which the member can clear), and rate alerts.

create table favourite_offers (
  member_id  uuid not null references members (id) on delete cascade,
  offer_id   uuid not null references offers (id) on delete cascade,
  created_at timestamptz not null,
  primary key (member_id, offer_id)
);
create index favourite_offers_offer on favourite_offers (offer_id);

create table favourite_retailers (
  member_id   uuid not null references members (id) on delete cascade,
  retailer_id uuid not null references retailers (id) on delete cascade,
  created_at  timestamptz not null,
  primary key (member_id, retailer_id)
);
create index favourite_retailers_retailer on favourite_retailers (retailer_id);

-- One row per member and offer, with the latest time: a list, not a history.
create table viewed_offers (
  member_id uuid not null references members (id) on delete cascade,
  offer_id  uuid not null references offers (id) on delete cascade,
  viewed_at timestamptz not null,
  primary key (member_id, offer_id)
);
create index viewed_offers_latest on viewed_offers (member_id, viewed_at desc);
create index viewed_offers_offer on viewed_offers (offer_id);

-- "Tell me when this retailer's rate rises". Values are basis points of a percent rate, pence of a fixed one.
create table rate_alerts (
  id          uuid primary key,
  -- In the mail's link that ends the alert: random, and good for nothing else.
  token       text not null unique check (token ~ '^[A-Za-z0-9_-]{22,64}$'),
  member_id   uuid not null references members (id) on delete cascade,
  retailer_id uuid not null references retailers (id) on delete cascade,
  rate_kind   text not null check (rate_kind in ('percent', 'fixed')),
  asked_value bigint not null check (asked_value >= 0),    -- the rate when the member asked
  -- The highest rate that holds and that the member knows of; a higher one is a rise.
  known_value bigint not null check (known_value >= asked_value),
  told_at     timestamptz,
  created_at  timestamptz not null,
  unique (member_id, retailer_id)
);
create index rate_alerts_retailer on rate_alerts (retailer_id);
