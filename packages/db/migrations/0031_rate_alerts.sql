-- "Tell me when this retailer's rate rises" (product.md D10). Values are basis points of a percent rate, pence of a fixed one.
create table rate_alerts (
  id          uuid primary key,
  -- In the mail's link to end the alert: random, worth nothing else.
  token       text not null unique check (token ~ '^[A-Za-z0-9_-]{22,64}$'),
  member_id   uuid not null references members (id) on delete cascade,
  retailer_id uuid not null references retailers (id) on delete cascade,
  rate_kind   text not null check (rate_kind in ('percent', 'fixed')),
  asked_value bigint not null check (asked_value >= 0),             -- the rate when the member asked
  known_value bigint not null check (known_value >= asked_value),   -- the highest that holds and the member knows of: above it is a rise
  told_at     timestamptz,
  created_at  timestamptz not null,
  unique (member_id, retailer_id)
);
create index rate_alerts_retailer on rate_alerts (retailer_id);
