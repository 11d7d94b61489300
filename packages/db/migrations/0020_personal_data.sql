-- Members' own details and data (M5): what they changed, and the archives made for them.

-- What a member changed, from and to, as a person would say it; deleted with the account.
create table detail_changes (
  id         uuid primary key,
  brand_id   uuid not null,
  member_id  uuid not null,
  field      text not null check (field ~ '^[a-z][a-z_]{1,39}$'),
  from_text  text not null check (length(from_text) <= 2000),
  to_text    text not null check (length(to_text) <= 2000),
  changed_at timestamptz not null,
  constraint detail_changes_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index detail_changes_member on detail_changes (member_id, changed_at desc);

-- That an archive was made: counted, and shown to the member, who should know if somebody else asked for it.
create table data_exports (
  id        uuid primary key,
  brand_id  uuid not null,
  member_id uuid not null,
  made_at   timestamptz not null,
  constraint data_exports_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index data_exports_member on data_exports (member_id, made_at desc);
