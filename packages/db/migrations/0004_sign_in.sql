-- Signing in, proving one's identity again, and recovering an account (M2, S1).

create table member_sessions (
  id         uuid primary key,
  brand_id   uuid not null references brands (id),
  member_id  uuid not null,
  token      text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  -- The last proof of identity; sensitive changes ask for a recent one.
  authenticated_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint member_sessions_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index member_sessions_member on member_sessions (member_id);
create index member_sessions_expires on member_sessions (expires_at);

-- Password hashes. The columns of access, refresh and id tokens are unused.
create table member_credentials (
  id            uuid primary key,
  brand_id      uuid not null references brands (id),
  member_id     uuid not null,
  account_id    text not null,
  provider_id   text not null,
  password      text,
  access_token  text, refresh_token text, id_token text, scope text,
  access_token_expires_at timestamptz, refresh_token_expires_at timestamptz,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  unique (brand_id, provider_id, account_id),
  constraint member_credentials_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index member_credentials_member on member_credentials (member_id);

-- Tries to log in, counted per window (count_login_try). The key is a keyed hash of what is counted (account and
-- address, or address), so that the table names nobody. Each wrong try makes the next wait longer; nothing is ever
-- locked.
create table login_tries (
  key         text primary key,
  tries       integer not null check (tries >= 0),
  waits_until timestamptz,
  resets_at   timestamptz not null
);
create index login_tries_resets on login_tries (resets_at);

-- The second step of a login whose password was right.
create table login_steps (
  id         uuid primary key,
  token_hash text not null unique,
  brand_id   uuid not null,
  member_id  uuid not null,
  next_path  text not null check (next_path like '/%' and length(next_path) <= 2048),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint login_steps_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index login_steps_member on login_steps (member_id);
create index login_steps_expires on login_steps (expires_at);

-- Codes from an app (TOTP). The secret is encrypted with a key that the database does not have. A time step that was
-- used once is refused afterwards.
create table member_second_factors (
  member_id  uuid primary key references members (id) on delete cascade,
  secret     text not null,
  -- Before two-step sign-in is on, the secret is for the session that sees it, and no other.
  shown_to   uuid,
  enabled_at timestamptz,
  last_step  bigint not null default 0,
  created_at timestamptz not null
);

create table member_recovery_codes (
  id         uuid primary key,
  member_id  uuid not null references members (id) on delete cascade,
  code_hash  text not null,
  used_at    timestamptz,
  created_at timestamptz not null,
  unique (member_id, code_hash)
);

create table member_passkeys (
  id            uuid primary key,
  brand_id      uuid not null,
  member_id     uuid not null,
  credential_id text not null check (length(credential_id) <= 1400),
  public_key    text not null,
  counter       bigint not null default 0 check (counter >= 0),
  transports    text[] not null default '{}',
  name          text not null check (length(name) between 1 and 60),
  created_at    timestamptz not null,
  last_used_at  timestamptz,
  constraint member_passkeys_credential unique (brand_id, credential_id),
  constraint member_passkeys_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index member_passkeys_member on member_passkeys (member_id);

-- Challenges that passkeys have answered: each is answered once. Challenges are signed and carry their own expiry, so
-- unanswered ones are not stored.
create table spent_challenges (
  challenge_hash text primary key,
  expires_at     timestamptz not null
);
create index spent_challenges_expires on spent_challenges (expires_at);

-- The tokens of links in e-mails, as hashes: a reader of the table can follow none of them. Each is good for one use,
-- for one purpose, until it expires.
create table member_tokens (
  id           uuid primary key,
  brand_id     uuid not null,
  member_id    uuid not null,
  purpose      text not null check (purpose in ('confirm-email', 'reset-password', 'add-email', 'undo-email-change')),
  token_hash   text not null unique,
  email        text not null check (email = lower(email) and length(email) <= 254),
  next_path    text check (next_path like '/%' and length(next_path) <= 2048),
  -- The browser that asked for the link, as a hash of what only that browser has: in it, a new member's password is
  -- known to be theirs.
  browser_hash text,
  -- For 'undo-email-change': the address's main_since, which is deleted with its row in member_emails.
  main_since   timestamptz,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  used_at      timestamptz,
  constraint member_tokens_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index member_tokens_member on member_tokens (member_id, purpose);
create index member_tokens_expires on member_tokens (expires_at);

-- Requests for a new password. Written alike for known and unknown addresses, and handled by the worker, so that
-- neither the answer nor its timing tells which it was.
--!include tell_of_mails.sql
create table password_reset_requests (
  id         uuid primary key,
  brand_id   uuid not null references brands (id) on delete cascade,
  email      text not null check (email = lower(email) and length(email) <= 254),
  created_at timestamptz not null
);
create trigger password_reset_requests_told after insert on password_reset_requests
  for each statement execute function tell_of_mails();
