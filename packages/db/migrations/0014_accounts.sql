-- Accounts: what the database itself holds to (product.md B4, M2, S1).

-- A session or sign-in can only belong to a member of its own brand, whatever the code does.
alter table members add constraint members_id_brand unique (id, brand_id);
alter table member_sessions
  drop constraint member_sessions_member_id_fkey,
  add constraint member_sessions_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade;
alter table member_credentials
  drop constraint member_credentials_member_id_fkey,
  add constraint member_credentials_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade;
create index member_sessions_expires on member_sessions (expires_at);

-- Tries to log in, counted per window. The key is a keyed hash of what is counted (account and address, or address), so
-- that the table names nobody.
create table login_tries (
  key       text primary key,
  tries     integer not null check (tries >= 0),
  resets_at timestamptz not null
);
create index login_tries_resets on login_tries (resets_at);
