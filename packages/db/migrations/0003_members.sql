-- Members belong to one brand. What a member is (type, status, job) is data an operator can edit (seed sections 3, 5, 6, 7).

create table member_types (
  id              uuid primary key,
  slug            text not null unique check (slug ~ '^[a-z][a-z0-9_]{1,39}$'),
  name            text not null,
  is_organisation boolean not null default false,      -- organisation types have no job categories
  position        integer not null
);

create table member_statuses (
  id             uuid primary key,
  member_type_id uuid not null references member_types (id) on delete cascade,
  slug           text not null check (slug ~ '^[a-z][a-z0-9_]{1,59}$'),
  name           text not null,
  hides_organisation_details boolean not null default false,  -- the exceptions of seed section 4
  position       integer not null,
  unique (member_type_id, slug)
);

create table job_categories (
  id             uuid primary key,
  public_number  integer generated always as identity unique,  -- the {id} of /api/job-categories/{id}/job-roles
  member_type_id uuid not null references member_types (id) on delete cascade,
  name           text not null,
  position       integer not null,
  unique (member_type_id, name)
);

create table job_roles (
  id              uuid primary key,
  public_number   integer generated always as identity unique,  -- the {id} of /api/job-roles/{id}
  job_category_id uuid not null references job_categories (id) on delete cascade,
  name            text not null,
  position        integer not null,
  unique (job_category_id, name)
);

-- One definition drives the form, the server's schema and the markup of /api/additional-fields.
create table additional_fields (
  id             uuid primary key,
  member_type_id uuid not null references member_types (id) on delete cascade,
  name           text not null check (name ~ '^[a-z][a-z0-9_]{1,39}$'),
  label          text not null,
  help           text not null default '',
  input_kind     text not null check (input_kind in ('text', 'email', 'select', 'month', 'checkbox')),
  choices        text[] not null default '{}',
  is_required    boolean not null default false,
  is_organisation_detail boolean not null default false,
  position       integer not null,
  unique (member_type_id, name)
);

create table brand_member_types (
  brand_id       uuid not null references brands (id) on delete cascade,
  member_type_id uuid not null references member_types (id) on delete cascade,
  position       integer not null default 0,
  primary key (brand_id, member_type_id)
);

create table members (
  id                uuid primary key,
  brand_id          uuid not null references brands (id),
  email             text not null check (email = lower(email) and length(email) <= 254),
  email_verified    boolean not null default false,
  name              text not null check (length(name) between 1 and 120),
  image             text,                                    -- asked for by the auth library; always null
  member_number     text not null unique default upper(random_public_id()),
  member_type_id    uuid references member_types (id),
  member_status_id  uuid references member_statuses (id),
  job_role_id       uuid references job_roles (id),
  date_of_birth     date,
  additional_fields jsonb not null default '{}'::jsonb,
  verification      text not null default 'unverified' check (verification in ('unverified', 'submitted', 'verified', 'rejected', 'lapsed')),
  suspended_at      timestamptz,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  unique (brand_id, email)
);

create table member_sessions (
  id         uuid primary key,
  brand_id   uuid not null references brands (id),
  member_id  uuid not null references members (id) on delete cascade,
  token      text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index member_sessions_member on member_sessions (member_id);

-- Password hashes and linked sign-ins (the auth library's "account").
create table member_credentials (
  id            uuid primary key,
  brand_id      uuid not null references brands (id),
  member_id     uuid not null references members (id) on delete cascade,
  account_id    text not null,
  provider_id   text not null,
  password      text,
  access_token  text, refresh_token text, id_token text, scope text,
  access_token_expires_at timestamptz, refresh_token_expires_at timestamptz,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  unique (brand_id, provider_id, account_id)
);
create index member_credentials_member on member_credentials (member_id);

create table member_verifications (
  id         uuid primary key,
  brand_id   uuid not null references brands (id),
  identifier text not null,
  value      text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index member_verifications_identifier on member_verifications (brand_id, identifier);

alter table offer_codes add constraint offer_codes_member_fk foreign key (member_id) references members (id);

-- Each reveal of a code (O3): one row per spent token, so a token is worth one reveal.
create table code_reveals (
  id         uuid primary key,
  token_hash text not null unique,
  member_id  uuid not null references members (id) on delete cascade,
  offer_id   uuid not null references offers (id) on delete cascade,
  variant_id uuid references offer_variants (id) on delete cascade,
  revealed_at timestamptz not null default now()
);
create index code_reveals_member on code_reveals (member_id, revealed_at desc);
