-- Proof of membership (M4): what counts as proof, what members sent, what was decided, and that the file is deleted.

--!include random_public_id.sql
--!include record_attachment_deletion.sql

-- What counts as proof is data that an operator can edit.
create table proof_kinds (
  id         uuid primary key,
  slug       text not null unique check (slug ~ '^[a-z][a-z0-9_]{1,39}$'),
  name       text not null check (length(name) between 1 and 80),
  help       text not null check (length(help) <= 300),
  shows      text[] not null default '{}',                 -- what has to be readable on it
  hides      text not null default '',                     -- what may be covered
  drawing    text not null check (drawing in ('payslip', 'card', 'letter', 'certificate', 'screen')),
  is_general boolean not null default false,               -- asked for where the member's type has no proofs of its own
  position   integer not null
);

-- The proofs of a member type. Where a status has rows of its own, they replace those of the type.
create table member_type_proofs (
  id               uuid primary key,
  member_type_id   uuid not null references member_types (id) on delete cascade,
  member_status_id uuid references member_statuses (id) on delete cascade,
  proof_kind_id    uuid not null references proof_kinds (id) on delete cascade,
  position         integer not null,
  unique nulls not distinct (member_type_id, member_status_id, proof_kind_id)
);

-- Domains whose mailboxes prove by themselves that their owner works there.
create table work_email_domains (
  member_type_id uuid not null references member_types (id) on delete cascade,
  domain         text not null check (domain ~ '^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$' and length(domain) <= 253),
  with_subdomains boolean not null default false,
  primary key (member_type_id, domain)
);

create table verification_requests (
  id            uuid primary key,
  public_id     text not null unique default random_public_id(),
  brand_id      uuid not null,
  member_id     uuid not null,
  way           text not null check (way in ('document', 'work_email')),
  proof_kind_id uuid references proof_kinds (id) on delete set null,
  is_renewal    boolean not null,
  state         text not null check (state in ('submitted', 'accepted', 'rejected', 'replaced')),
  reason        text check (reason ~ '^[a-z][a-z_]{1,39}$'),
  note          text check (length(note) between 1 and 500),
  submitted_at  timestamptz not null,
  decided_at    timestamptz,
  decided_by    text check (length(decided_by) between 1 and 100),
  valid_until   timestamptz,
  constraint verification_requests_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade,
  check ((state = 'submitted') = (decided_at is null)),
  check ((decided_at is null) = (decided_by is null)),
  check ((state = 'rejected') = (reason is not null)),
  check ((state = 'accepted') = (valid_until is not null))
);
-- At most one open request per member, whatever two windows do at the same time.
create unique index verification_requests_open on verification_requests (member_id) where state = 'submitted';
create index verification_requests_member on verification_requests (member_id, submitted_at desc);
create index verification_requests_waiting on verification_requests (submitted_at) where state = 'submitted';

-- What a member sent, written anew by us from its decoded content. The bytes are encrypted and stored in parts.
create table attachments (
  id            uuid primary key,
  public_id     text not null unique default random_public_id(),
  brand_id      uuid not null,
  member_id     uuid not null,
  request_id    uuid not null unique references verification_requests (id) on delete cascade,
  -- Data only: never a path, never copied into a header.
  original_name text not null check (length(original_name) between 1 and 200),
  media_type    text not null check (media_type in ('image/jpeg', 'application/pdf')),
  size          integer not null check (size > 0),
  sha256        bytea not null check (length(sha256) = 32),
  received_at   timestamptz not null,
  delete_after  timestamptz,                               -- set by the decision
  deleted_why   text check (deleted_why in ('decided', 'replaced', 'account-closed')),
  deleted_at    timestamptz,
  constraint attachments_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index attachments_delete_after on attachments (delete_after) where delete_after is not null;
create index attachments_member on attachments (member_id);
create trigger attachments_deleted after delete on attachments
  for each row execute function record_attachment_deletion();

create table attachment_parts (
  attachment_id uuid not null references attachments (id) on delete cascade,
  position      integer not null check (position >= 0),
  bytes         bytea not null,
  primary key (attachment_id, position)
);
alter table attachment_parts alter column bytes set storage external;  -- encrypted bytes do not compress

-- Proof that a file is deleted. It names nobody by itself and outlives the account.
create table attachment_deletions (
  id            uuid primary key default gen_random_uuid(),
  attachment_id uuid not null unique,
  request_id    uuid not null,
  brand_id      uuid not null references brands (id),
  member_id     uuid not null,
  sha256        bytea not null,
  size          integer not null,
  received_at   timestamptz not null,
  why           text not null check (why in ('decided', 'replaced', 'account-closed')),
  deleted_at    timestamptz not null
);
create index attachment_deletions_member on attachment_deletions (member_id);

-- Links to a mailbox at work: single use, stored as a hash. A mailbox proves one account of a brand; the operation
-- checks that under a lock, and the constraints enforce it for writes that skip the check.
create table work_email_checks (
  id           uuid primary key,
  brand_id     uuid not null,
  member_id    uuid not null,
  email        text not null check (email = lower(email) and length(email) <= 254),
  -- The address without a "+tag", so that one person is one mailbox.
  mailbox      text not null check (length(mailbox) <= 254),
  token_hash   bytea not null unique check (length(token_hash) = 32),
  requested_at timestamptz not null,
  expires_at   timestamptz not null check (expires_at > requested_at),
  used_at      timestamptz,
  constraint work_email_checks_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade,
  constraint work_email_checks_mailbox_of_email
    check (mailbox = split_part(split_part(email, '@', 1), '+', 1) || '@' || split_part(email, '@', 2)),
  -- A member may use a mailbox again, for a renewal: only another member's use conflicts. The index also serves
  -- look-ups by mailbox.
  constraint work_email_checks_one_account
    exclude using gist (brand_id with =, mailbox with =, member_id with <>) where (used_at is not null)
);
create index work_email_checks_member on work_email_checks (member_id, requested_at);

-- A member is told once that a membership runs out.
create table renewal_notices (
  member_id      uuid not null references members (id) on delete cascade,
  verified_until timestamptz not null,
  told_at        timestamptz not null,
  primary key (member_id, verified_until)
);

-- Uploads tried per member and hour, including refused ones: reading an upload costs far more than sending it.
create table upload_tries (
  member_id uuid primary key references members (id) on delete cascade,
  hour      timestamptz not null,
  tries     integer not null check (tries >= 0)
);
