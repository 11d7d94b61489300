-- An operator's request to see a member's site as the member does, the member's answer, and what followed (A3). One row
-- is one request and at most one session. What was seen and changed is in audit_entries, by public_id.
create table account_access_requests (
  id                   uuid primary key,
  public_id            text not null unique check (public_id ~ '^[A-Za-z0-9_-]{22}$'),
  brand_id             uuid not null,
  member_id            uuid not null,
  operator_id          uuid not null references operators (id),
  operator_name        text not null check (length(operator_name) between 1 and 120),
  reason               text not null check (length(reason) between 1 and 500),
  state                text not null check (state in ('asked', 'allowed', 'running', 'refused', 'ended')),
  asked_at             timestamptz not null,
  lapses_at            timestamptz not null check (lapses_at > asked_at),
  answered_at          timestamptz,
  started_at           timestamptz,
  ends_at              timestamptz,
  ended_at             timestamptz,
  ended_by             text check (ended_by in ('member', 'operator', 'time', 'club')),
  -- The session of the admin that it belongs to: it ends with it.
  operator_session_id  uuid,
  -- A link of the admin that starts the session, once.
  ticket_hash          bytea unique check (length(ticket_hash) = 32),
  ticket_ends_at       timestamptz,
  session_hash         bytea unique check (length(session_hash) = 32),
  pages_seen           integer not null default 0 check (pages_seen >= 0),
  changes_made         integer not null default 0 check (changes_made >= 0),
  requests_refused     integer not null default 0 check (requests_refused >= 0),
  last_request         text check (length(last_request) between 1 and 300),
  constraint account_access_requests_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade,
  constraint account_access_requests_answered check (state not in ('allowed', 'running', 'refused') or answered_at is not null),
  constraint account_access_requests_started check (
    (started_at is null) = (session_hash is null) and (started_at is null) = (ends_at is null)
    and (state <> 'running' or started_at is not null)),
  constraint account_access_requests_ended check ((state = 'ended') = (ended_at is not null) and (state = 'ended') = (ended_by is not null)),
  constraint account_access_requests_ticket check ((ticket_hash is null) = (ticket_ends_at is null))
);
create index account_access_requests_member on account_access_requests (member_id, asked_at desc);
-- A member is asked one thing at a time.
create unique index account_access_requests_open on account_access_requests (member_id) where state in ('asked', 'allowed', 'running');
