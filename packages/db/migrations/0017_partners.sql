-- Partners place the widget in their own pages (W9, W10): who they are, how their servers authenticate, where they may
-- embed us, and the sessions that their visitors get in exchange for a token.

create table partners (
  id                   uuid primary key,
  public_id            text not null unique check (public_id ~ '^[A-Za-z0-9_-]{8,40}$'),
  name                 text not null check (length(name) between 1 and 100),
  -- Where a payment that left for a bank returns to, and what stands for the payment in that address (W8). Both or
  -- neither.
  success_template_url text check (success_template_url ~ '^https?://' and length(success_template_url) <= 2000),
  id_placeholder       text check (length(id_placeholder) between 1 and 100),
  mints_per_minute     integer not null default 300 check (mints_per_minute > 0),
  suspended_at         timestamptz,                        -- a suspended partner's keys and open sessions stop working
  created_at           timestamptz not null default now(),
  check ((success_template_url is null) = (id_placeholder is null)),
  check (position(id_placeholder in success_template_url) > 0)
);

-- Only the hash of a key is stored: a reader of this table can call nothing. The prefix finds the key and tells people
-- which one is meant.
create table partner_api_keys (
  id           uuid primary key,
  partner_id   uuid not null references partners (id) on delete cascade,
  prefix       text not null unique check (prefix ~ '^[a-z0-9]{8}$'),
  -- SHA-256; keys are 256 random bits, so nothing slower is needed.
  key_hash     bytea not null check (length(key_hash) = 32),
  created_at   timestamptz not null default now(),
  revoked_at   timestamptz,
  unique (partner_id, id)
);

-- The origins whose pages may hold a partner's frame. They are written into a header (frame-ancestors), so only scheme,
-- host and port are accepted.
create table partner_origins (
  partner_id uuid not null references partners (id) on delete cascade,
  origin     text not null check (origin ~ '^https?://[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:[0-9]{1,5})?$' and length(origin) <= 255),
  primary key (partner_id, origin)
);

-- Tokens that were minted. The row makes a token worth one exchange; the token itself is signed and not stored. Rows
-- are deleted soon after their token expires.
create table partner_tokens (
  id         uuid primary key,
  partner_id uuid not null,
  api_key_id uuid not null,
  origin     text not null,
  -- The partner's own name for what its visitor is about to do.
  reference  text check (length(reference) between 1 and 100),
  minted_at  timestamptz not null,
  expires_at timestamptz not null check (expires_at > minted_at),
  spent_at   timestamptz,
  foreign key (partner_id, api_key_id) references partner_api_keys (partner_id, id) on delete cascade
);
create index partner_tokens_expires on partner_tokens (expires_at);

-- How many tokens a partner has minted in the current minute.
create table partner_mints (
  partner_id uuid primary key references partners (id) on delete cascade,
  minute     timestamptz not null,
  mints      integer not null check (mints >= 0)
);

-- A visitor of a partner in its frame, for half an hour. Rows are deleted 30 days after they expire: a foreign key to
-- this table needs "on delete set null".
create table widget_sessions (
  id          uuid primary key,
  partner_id  uuid not null references partners (id),
  origin      text not null,
  reference   text,
  bearer_hash bytea not null unique check (length(bearer_hash) = 32),
  opened_at   timestamptz not null,
  expires_at  timestamptz not null check (expires_at > opened_at),
  unique (partner_id, id)
);
create index widget_sessions_expires on widget_sessions (expires_at);

-- Where a partner is told of events. The signing secret is derived from the deployment's secret, this id and the
-- version, so none is stored.
create table partner_webhooks (
  id             uuid primary key,
  partner_id     uuid not null references partners (id) on delete cascade,
  url            text not null check (url ~ '^https?://' and length(url) <= 2000),
  secret_version integer not null default 1 check (secret_version > 0),
  created_at     timestamptz not null default now(),
  disabled_at    timestamptz,
  unique (partner_id, url)
);

-- The outbox: one row per event and endpoint, written in the transaction of the event, and sent until the endpoint
-- answers 2xx or a day has passed.
create table partner_webhook_deliveries (
  id           uuid primary key,
  webhook_id   uuid not null references partner_webhooks (id) on delete cascade,
  event_id     uuid not null,
  kind         text not null check (kind ~ '^[a-z]+(\.[a-z_]+)+$'),
  -- The exact bytes that are signed and sent, the same in each attempt.
  body         text not null,
  created_at   timestamptz not null,
  attempts     integer not null default 0 check (attempts >= 0),
  next_try_at  timestamptz,                                -- null: delivered or given up
  delivered_at timestamptz,
  last_status  integer,
  last_error   text,
  unique (webhook_id, event_id),
  check (next_try_at is null or delivered_at is null)
);
create index partner_webhook_deliveries_due on partner_webhook_deliveries (next_try_at) where next_try_at is not null;
