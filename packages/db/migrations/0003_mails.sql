-- Outgoing e-mails (M9), and which of them a member wants (M5).

--!include tell_of_mails.sql

-- The outbox: a mail is queued in the transaction of its cause. `data` holds what the mail says and may hold a token;
-- it is wiped when the mail is sent.
create table mails (
  id          uuid primary key,
  brand_id    uuid not null references brands (id),
  member_id   uuid references members (id) on delete cascade,
  recipient   text not null check (length(recipient) between 3 and 254 and recipient !~ '[[:cntrl:][:space:]<>,;]'),
  kind        text not null check (kind ~ '^[a-z][a-z0-9-]{1,59}$'),
  data        jsonb not null default '{}'::jsonb,
  -- Set when it is sent and kept, so that members see what they were sent; holds no token.
  subject     text check (length(subject) between 1 and 500),
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
create trigger mails_told after insert on mails for each statement execute function tell_of_mails();

-- Choices of mails: what was chosen, when and how. The last row of a kind holds; all rows are kept as long as the
-- member. Without a row the default of the kind holds. Offers and news need a consent with its wording, which is in
-- member_consents.
create table mail_choices (
  id         uuid primary key,
  brand_id   uuid not null,
  member_id  uuid not null,
  kind       text not null check (kind ~ '^[a-z][a-z-]{1,39}$'),
  is_wanted  boolean not null,
  way        text not null check (way in ('page', 'link')),  -- on the account's page, or by the link in a mail
  chosen_at  timestamptz not null,
  constraint mail_choices_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index mail_choices_member on mail_choices (member_id, kind, chosen_at desc, id desc);
