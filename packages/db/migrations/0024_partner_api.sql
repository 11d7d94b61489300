-- The partners' API (W10): prices fixed by the partner's server, test mode, refunds, idempotency keys, and the rotation
-- of webhook secrets.

--!include check_new_payment.sql
--!include check_payment_change.sql

-- A test key's sessions, payments and webhooks are never mixed with live ones (decision 033).
alter table partner_api_keys add column mode text not null default 'live' check (mode in ('live', 'test'));

-- A visit whose price the partner's server has fixed. Without an amount, the visitor types amount and reference.
alter table partner_tokens
  add column mode text not null default 'live' check (mode in ('live', 'test')),
  add column amount_pence bigint check (amount_pence > 0),
  add column description text check (length(description) between 1 and 200),
  add column email text check (length(email) between 3 and 254),
  add constraint partner_tokens_price check (amount_pence is not null and reference is not null or amount_pence is null and description is null and email is null);
alter table widget_sessions
  add column mode text not null default 'live' check (mode in ('live', 'test')),
  add column amount_pence bigint check (amount_pence > 0),
  add column description text check (length(description) between 1 and 200),
  -- Where the card provider sends its receipt. Deleted with the session; payments do not keep it.
  add column email text check (length(email) between 3 and 254),
  add constraint widget_sessions_price check (amount_pence is not null and reference is not null or amount_pence is null and description is null and email is null);

alter table payments
  add column mode text not null default 'live' check (mode in ('live', 'test')),
  -- The session's id and its reference, kept when the session itself is deleted.
  add column session_id uuid,
  add column session_reference text check (length(session_reference) between 1 and 100),
  add column description text check (length(description) between 1 and 200);
create trigger payments_as_agreed before insert on payments for each row execute function check_new_payment();
-- The lists of a partner: all, by reference, and of one session. Ids are in the order of creation (UUIDv7).
create index payments_of_partner on payments (partner_id, mode, id);
create index payments_by_reference on payments (partner_id, reference, id);
create index payments_of_session on payments (session_id) where session_id is not null;

-- Refunds that were asked for. The row is written before the card provider is called, with the key of that call in it
-- (its id): whoever continues after a crash sends the same key, and the provider acts once.
create table payment_refunds (
  id           uuid primary key,
  payment_id   uuid not null references payments (id),
  -- The caller's key: a repeated request is the same refund.
  request_key  text not null check (length(request_key) between 1 and 300),
  amount_pence bigint not null check (amount_pence > 0),
  state        text not null check (state in ('asked', 'done', 'refused')),
  asked_at     timestamptz not null,
  attempts     integer not null default 0 check (attempts >= 0),
  next_try_at  timestamptz,                                -- null: decided, or left to a person
  last_error   text,
  unique (payment_id, request_key),
  check (state = 'asked' or next_try_at is null)
);
create index payment_refunds_due on payment_refunds (next_try_at) where next_try_at is not null;
create index payment_refunds_asked on payment_refunds (payment_id) where state = 'asked';

-- Requests that partners sent with an Idempotency-Key, and their answers. Kept for two days.
create table partner_requests (
  partner_id   uuid not null references partners (id) on delete cascade,
  mode         text not null check (mode in ('live', 'test')),
  request_key  text not null check (length(request_key) between 1 and 255),
  -- SHA-256 of method, path and body.
  request_hash bytea not null check (length(request_hash) = 32),
  started_at   timestamptz not null,
  -- Until then the request may be running; after that, its process has died, and the next one runs it again.
  leased_until timestamptz not null,
  status       integer,                                    -- null: no answer yet
  body         text,                                       -- JSON without secrets, which are made again
  primary key (partner_id, mode, request_key)
);
create index partner_requests_started on partner_requests (started_at);

-- How many requests other than minting a partner has sent in the current minute.
create table partner_calls (
  partner_id uuid primary key references partners (id) on delete cascade,
  minute     timestamptz not null,
  calls      integer not null check (calls >= 0)
);

alter table partner_webhooks
  add column mode text not null default 'live' check (mode in ('live', 'test')),
  -- While the secret is rotated, deliveries have a signature with the secret before as well.
  add column previous_secret_until timestamptz;
-- A partner's log of deliveries, newest first.
create index partner_webhook_deliveries_of_webhook on partner_webhook_deliveries (webhook_id, id);
