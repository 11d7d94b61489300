-- What a brand's site loads beyond the necessary, once a person agrees (T4, T5, T6): { tagManager, engagementScript }, each absent or null where
-- the brand has none.
alter table brands add column tracking jsonb not null default '{}'::jsonb;

-- What members chose about it, each time they chose (T6). The choice itself is in the browser's cookie, because it is the browser that stores and
-- sends; this is the record that UK GDPR article 7(1) asks for. Visitors' choices are in their cookie alone.
create table consent_choices (
  id         uuid primary key,
  brand_id   uuid not null,
  member_id  uuid not null,
  version    integer not null check (version >= 1),        -- of the words that were agreed to (core/consent/rules.ts)
  purposes   text[] not null check (purposes <@ array['measurement', 'tags', 'messages']),
  has_signal boolean not null,                             -- whether the browser sent Global Privacy Control
  chosen_at  timestamptz not null,
  constraint consent_choices_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index consent_choices_member on consent_choices (member_id, chosen_at desc, id desc);
