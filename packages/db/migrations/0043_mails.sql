-- E-mails on their way out (product.md M9), written in the transaction of what they tell of. What a mail says stands in `data` until it is
-- sent, and is wiped then: it may hold a token.
create table mails (
  id          uuid primary key,
  brand_id    uuid not null references brands (id),
  member_id   uuid references members (id) on delete cascade,
  recipient   text not null check (length(recipient) between 3 and 254 and recipient !~ '[[:cntrl:][:space:]<>,;]'),
  kind        text not null check (kind ~ '^[a-z][a-z0-9-]{1,59}$'),
  data        jsonb not null default '{}'::jsonb,
  state       text not null default 'waiting' check (state in ('waiting', 'sent', 'given-up')),
  attempts    integer not null default 0 check (attempts >= 0),
  next_try_at timestamptz,
  last_error  text check (length(last_error) <= 500),
  created_at  timestamptz not null default now(),
  settled_at  timestamptz,
  check ((state = 'waiting') = (next_try_at is not null)),
  check ((state = 'waiting') = (settled_at is null))
);
create index mails_due on mails (next_try_at) where state = 'waiting';
create index mails_member on mails (member_id, created_at) where member_id is not null;
create index mails_settled on mails (settled_at) where settled_at is not null;

create function tell_of_mails() returns trigger language plpgsql as $$
begin
  perform pg_notify('mails', '');
  return null;
end $$;
create trigger mails_told after insert on mails for each statement execute function tell_of_mails();

-- Every e-mail address a person may be known by in a brand: their main one (members.email, kept in step by the trigger below) and any others they have
-- proved. One address is one person's, whichever of the two it is.
create table member_emails (
  id          uuid primary key,
  brand_id    uuid not null,
  member_id   uuid not null,
  email       text not null check (email = lower(email) and length(email) <= 254),
  verified_at timestamptz,
  created_at  timestamptz not null default now(),
  constraint member_emails_email unique (brand_id, email),
  constraint member_emails_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index member_emails_member on member_emails (member_id);

insert into member_emails (id, brand_id, member_id, email, verified_at, created_at)
select gen_random_uuid(), brand_id, id, email, case when email_verified then created_at end, created_at from members;

create function keep_main_email() returns trigger language plpgsql as $$
begin
  -- Of another member: member_emails_email refuses it.
  if exists (select 1 from member_emails known where known.brand_id = new.brand_id and known.email = new.email and known.member_id = new.id) then
    update member_emails set verified_at = coalesce(verified_at, now())
    where brand_id = new.brand_id and email = new.email and new.email_verified and verified_at is null;
  else
    insert into member_emails (id, brand_id, member_id, email, verified_at)
    values (gen_random_uuid(), new.brand_id, new.id, new.email, case when new.email_verified then now() end);
  end if;
  return null;
end $$;
create trigger members_main_email after insert or update of email, email_verified on members
  for each row execute function keep_main_email();

-- What links in e-mails carry, as hashes: whoever reads the table can follow none of them. Each is good for one use, for one purpose, until it is over.
create table member_tokens (
  id         uuid primary key,
  brand_id   uuid not null,
  member_id  uuid not null,
  purpose    text not null check (purpose in ('confirm-email', 'reset-password', 'add-email', 'undo-email-change')),
  token_hash text not null unique,
  email      text not null check (email = lower(email) and length(email) <= 254),
  next_path  text check (next_path like '/%' and length(next_path) <= 2048),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz,
  constraint member_tokens_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index member_tokens_member on member_tokens (member_id, purpose);
create index member_tokens_expires on member_tokens (expires_at);
