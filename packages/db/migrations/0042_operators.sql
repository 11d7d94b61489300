-- Operators (A1): the people who run the club from the admin, their sessions, what they save, and the log of what they
-- change.

--!include refuse_change.sql
--!include chain_audit_entry.sql

-- An operator belongs to the deployment, not to a brand.
create table operators (
  id          uuid primary key,
  email       text not null unique check (email = lower(email) and length(email) <= 254),
  name        text not null check (length(name) between 1 and 120),
  role        text not null check (role in ('support', 'catalogue', 'finance', 'owner')),
  password    text,                                        -- argon2id; null until the invitation is accepted
  disabled_at timestamptz,
  version     integer not null default 1 check (version >= 1),
  created_at  timestamptz not null,
  updated_at  timestamptz not null
);

-- The secret of the operator's app, sealed with a key that the database does not have.
create table operator_second_factors (
  operator_id uuid primary key references operators (id) on delete cascade,
  secret      text not null,
  enabled_at  timestamptz,                                 -- null until a code from the app has proved it
  last_step   bigint not null default 0,
  created_at  timestamptz not null
);

create table operator_recovery_codes (
  id          uuid primary key,
  operator_id uuid not null references operators (id) on delete cascade,
  code_hash   text not null,
  used_at     timestamptz,
  created_at  timestamptz not null,
  unique (operator_id, code_hash)
);

-- Links that let a person choose a password: an invitation, or after a reset. Stored as a hash; one use.
create table operator_links (
  id          uuid primary key,
  operator_id uuid not null references operators (id) on delete cascade,
  token_hash  bytea not null unique check (length(token_hash) = 32),
  created_at  timestamptz not null,
  expires_at  timestamptz not null check (expires_at > created_at)
);
create index operator_links_operator on operator_links (operator_id);

-- A sign-in is a session from the password on; only an open one may do anything.
create table operator_sessions (
  id          uuid primary key,
  operator_id uuid not null references operators (id) on delete cascade,
  token_hash  bytea not null unique check (length(token_hash) = 32),
  step        text not null check (step in ('set-up', 'code', 'open')),
  mailed_code text,                                        -- development: hash of the code in the mailbox
  ip_address  text check (length(ip_address) <= 100),
  user_agent  text check (length(user_agent) <= 400),
  created_at  timestamptz not null,
  used_at     timestamptz not null,
  expires_at  timestamptz not null check (expires_at > created_at),
  check (mailed_code is null or step = 'code')
);
create index operator_sessions_operator on operator_sessions (operator_id);
create index operator_sessions_expired on operator_sessions (expires_at);

-- A list's filters and order under a name, for the operator who saved them.
create table operator_views (
  id          uuid primary key,
  operator_id uuid not null references operators (id) on delete cascade,
  list        text not null check (list ~ '^[a-z][a-z-]{1,39}$'),
  name        text not null check (length(name) between 1 and 60),
  query       text not null check (length(query) <= 1000),
  created_at  timestamptz not null,
  unique (operator_id, list, name)
);

-- What operators write about a member for each other. The member gets it in the copy of their data; it ends with the
-- account.
create table member_notes (
  id          uuid primary key,
  brand_id    uuid not null,
  member_id   uuid not null,
  written_by  text not null check (length(written_by) between 1 and 254),
  text        text not null check (length(text) between 1 and 2000),
  created_at  timestamptz not null,
  constraint member_notes_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index member_notes_member on member_notes (member_id, created_at desc);

-- Who changed what, when and why; `before` and `after` are the record's state without secrets and without what names a
-- member. Rows are written once. Each row holds the hash of the one before it, so a change made past these guards shows.
create table audit_entries (
  id            uuid primary key,
  seq           bigint not null unique,
  at            timestamptz not null,
  operator_id   uuid,                                      -- null: a command on the server
  actor         text not null check (length(actor) between 1 and 254),
  action        text not null check (action ~ '^[a-z][a-z-]*(\.[a-z][a-z-]*)+$' and length(action) <= 60),
  subject_type  text not null check (subject_type ~ '^[a-z][a-z-]{1,39}$'),
  subject_id    text not null check (length(subject_id) between 1 and 100),
  before        jsonb,
  after         jsonb,
  why           text check (length(why) between 1 and 500),
  request_id    text check (length(request_id) <= 100),
  previous_hash bytea not null,
  hash          bytea not null unique check (length(hash) = 32)
);
create index audit_entries_subject on audit_entries (subject_type, subject_id, seq desc);
create index audit_entries_operator on audit_entries (operator_id, seq desc);
create index audit_entries_action on audit_entries (action, seq desc);
create index audit_entries_at on audit_entries (at);
create trigger audit_entries_chained before insert on audit_entries for each row execute function chain_audit_entry();
create trigger audit_entries_fixed before update or delete on audit_entries
  for each row execute function refuse_change();
create trigger audit_entries_kept before truncate on audit_entries
  for each statement execute function refuse_change();
revoke update, delete, truncate on audit_entries from public;
do $$ begin execute format('revoke update, delete, truncate on audit_entries from %I', current_user); end $$;

-- Operators find members by parts of a name or an address, and list them from the newest.
create index members_name_trigrams on members using gin (lower(name) gin_trgm_ops);
create index member_emails_trigrams on member_emails using gin (email gin_trgm_ops);
create index members_created on members (created_at desc, id desc);
create index members_suspended on members (suspended_at) where suspended_at is not null;
create index network_transactions_order on network_transactions (upper(ltrim(btrim(order_reference), '#')))
  where order_reference is not null;
create index claims_order_key on claims (order_key);
