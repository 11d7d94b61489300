-- What a member keeps (product.md D10): favourites they chose, and offers they looked at, which they can have forgotten.

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
