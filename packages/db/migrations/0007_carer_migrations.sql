-- Members whose work has become another brand's (M7). Whom it concerns is data; their answer is recorded.

create table carer_migration_rules (
  id               uuid primary key,
  brand_id         uuid not null references brands (id) on delete cascade,
  member_status_id uuid not null references member_statuses (id) on delete cascade,
  to_brand_id      uuid not null references brands (id) on delete cascade,
  to_member_type_id uuid not null references member_types (id) on delete cascade,
  unique (brand_id, member_status_id),
  check (brand_id <> to_brand_id)
);

create table carer_migrations (
  id            uuid primary key,
  brand_id      uuid not null,
  member_id     uuid not null unique,
  rule_id       uuid references carer_migration_rules (id) on delete set null,
  state         text not null check (state in ('later', 'agreed', 'moved')),
  times_put_off integer not null default 0 check (times_put_off >= 0),
  ask_again_at  timestamptz,
  agreed_at     timestamptz,
  consent       text check (length(consent) between 1 and 1000),  -- the words that the member agreed to
  token_hash    bytea unique check (length(token_hash) = 32),
  token_expires_at timestamptz,
  moved_at      timestamptz,
  new_member_id uuid references members (id) on delete set null,
  updated_at    timestamptz not null,
  constraint carer_migrations_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade,
  check ((state = 'later') = (agreed_at is null)),
  check ((state = 'moved') = (moved_at is not null)),
  check ((agreed_at is null) = (consent is null))
);
create index carer_migrations_new_member on carer_migrations (new_member_id) where new_member_id is not null;
