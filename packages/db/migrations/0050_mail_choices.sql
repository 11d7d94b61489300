-- Which e-mails a member wants (product.md M5, M9), and cashback's changes on their way into one.

-- What was chosen, when and how; the last row of a kind holds, and all are kept as long as the member is one. Without a row the kind's own default holds
-- (core/mail-choices/rules.ts). Offers and news are a consent, with its wording, in member_consents.
create table mail_choices (
  id         uuid primary key,
  brand_id   uuid not null,
  member_id  uuid not null,
  kind       text not null check (kind ~ '^[a-z][a-z-]{1,39}$'),
  is_wanted  boolean not null,
  way        text not null check (way in ('page', 'link')),     -- on the page of one's account, or by the link of a mail
  chosen_at  timestamptz not null,
  constraint mail_choices_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index mail_choices_member on mail_choices (member_id, kind, chosen_at desc, id desc);

-- A change of cashback that its member has not been written to about: made in the transaction of the change, taken away in the transaction of the mail.
-- What changed before this migration has no row, so nobody is told of old news.
create table cashback_notices (
  entry_id   uuid not null,
  version    integer not null,
  member_id  uuid not null references members (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  primary key (entry_id, version),
  foreign key (entry_id, version) references cashback_changes (entry_id, version)
);
create index cashback_notices_member on cashback_notices (member_id, created_at);
create index cashback_notices_created on cashback_notices (created_at);

create function notice_cashback_change() returns trigger language plpgsql as $$
begin
  insert into cashback_notices (entry_id, version, member_id)
  select new.entry_id, new.version, entry.member_id from cashback_entries entry where entry.id = new.entry_id;
  return null;
end $$;
create trigger cashback_changes_noticed after insert on cashback_changes for each row execute function notice_cashback_change();

-- A mail's subject, from its sending on: members can see what they were sent. It holds no token; `data` is wiped as before.
alter table mails add column subject text check (length(subject) between 1 and 500);
