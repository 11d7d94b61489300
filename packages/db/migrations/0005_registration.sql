-- Registration in two steps (M1).

-- Somebody between the two steps. The browser holds the token, the table its hash. The password is hashed before it
-- arrives here.
create table registration_drafts (
  id               uuid primary key,
  brand_id         uuid not null references brands (id) on delete cascade,
  token_hash       text not null unique,
  email            text not null check (email = lower(email) and length(email) <= 254),
  password_hash    text,
  member_type_id   uuid not null references member_types (id) on delete cascade,
  member_status_id uuid not null references member_statuses (id) on delete cascade,
  answers          jsonb not null default '{}'::jsonb,
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  completed_at     timestamptz,
  check ((completed_at is null) = (password_hash is not null)),  -- a completed draft keeps nothing to sign in with
  check (completed_at is null or answers = '{}'::jsonb)
);
create index registration_drafts_expires on registration_drafts (expires_at);

-- Registrations counted per window, by keyed hashes of what is counted (a network address, an e-mail address): the
-- table names nobody.
create table registration_tries (
  key       text primary key,
  tries     integer not null check (tries >= 0),
  resets_at timestamptz not null
);
create index registration_tries_resets on registration_tries (resets_at);

-- Who agreed to what, in which words, and when that ended.
create table member_consents (
  id           uuid primary key,
  brand_id     uuid not null,
  member_id    uuid not null,
  kind         text not null check (kind in ('terms', 'offers-by-email')),
  wording      text not null check (length(wording) between 1 and 1000),
  given_at     timestamptz not null,
  withdrawn_at timestamptz check (withdrawn_at >= given_at),
  constraint member_consents_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create unique index member_consents_held on member_consents (member_id, kind) where withdrawn_at is null;
