-- Members belong to one brand. Types, statuses and jobs are data that an operator can edit (M1, A2).

--!include random_public_id.sql
--!include keep_main_email.sql
--!include refuse_deleting_main_email.sql

create table member_types (
  id              uuid primary key,
  slug            text not null unique check (slug ~ '^[a-z][a-z0-9_]{1,39}$'),
  name            text not null,
  is_organisation boolean not null default false,          -- organisation types have no job categories
  -- The label and help of the form's `member_id`: what an employer, union or school knows the person by.
  member_id_label text not null default 'Membership or staff number' check (length(member_id_label) between 1 and 60),
  member_id_help  text not null default '' check (length(member_id_help) <= 200),
  position        integer not null
);

create table member_statuses (
  id             uuid primary key,
  member_type_id uuid not null references member_types (id) on delete cascade,
  slug           text not null check (slug ~ '^[a-z][a-z0-9_]{1,59}$'),
  name           text not null,
  hides_organisation_details boolean not null default false,  -- the exceptions that M1 names
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
  input_kind     text not null check (input_kind in ('text', 'email', 'select', 'month', 'date', 'checkbox')),
  choices        text[] not null default '{}',
  autocomplete   text not null default 'off' check (autocomplete ~ '^[a-z]+( [a-z]+)*$'),
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
  image             text,                                  -- unused: always null
  member_number     text not null unique default upper(random_public_id()),
  member_type_id    uuid references member_types (id),
  member_status_id  uuid references member_statuses (id),
  job_role_id       uuid references job_roles (id),
  date_of_birth     date,
  residence         text check (residence ~ '^[A-Z]{2}$'),
  stated_member_id  text check (length(stated_member_id) between 1 and 60),
  additional_fields jsonb not null default '{}'::jsonb,
  verification      text not null default 'unverified' check (verification in ('unverified', 'submitted', 'verified', 'rejected', 'lapsed')),
  -- Until when a verified member stays verified; null: without end. Renewal is asked for before that, and the card
  -- stays valid until the renewal is decided.
  verified_until    timestamptz,
  -- Marks of known browsers are signed for a generation (decision 020). A higher generation invalidates all of them.
  device_generation integer not null default 0 check (device_generation >= 0),
  suspended_at      timestamptz,
  closed_at         timestamptz,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  unique (brand_id, email),
  -- For the foreign keys (member_id, brand_id) of other tables: a row belongs to a member of its own brand (B4).
  constraint members_id_brand unique (id, brand_id)
);
create index members_verified_until on members (verified_until) where verification = 'verified';

-- Every e-mail address that a person may be known by in a brand: the main one (members.email, kept in step by a
-- trigger) and any others that they have proved. An address belongs to one person.
create table member_emails (
  id          uuid primary key,
  brand_id    uuid not null,
  member_id   uuid not null,
  email       text not null check (email = lower(email) and length(email) <= 254),
  verified_at timestamptz,
  -- Since when the address has been one that was the main one; null: never. Such an address may take the account back
  -- from a later main address; an address that was only added may not.
  main_since  timestamptz,
  created_at  timestamptz not null default now(),
  constraint member_emails_email unique (brand_id, email),
  constraint member_emails_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index member_emails_member on member_emails (member_id);

create trigger members_main_email after insert or update of email, email_verified on members
  for each row execute function keep_main_email();
create trigger member_emails_main_kept before delete on member_emails
  for each row execute function refuse_deleting_main_email();
