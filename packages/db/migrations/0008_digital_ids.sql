-- Digital ID (M6): the devices that may show a member's card. A device belongs to one session and is deleted with it,
-- so signing out, ending a session elsewhere and closing the account all revoke the card. The key that signs the codes
-- is derived from the id and a key that the database does not have.
create table digital_id_devices (
  id         uuid primary key,
  handle     text not null unique check (handle ~ '^[0-9A-HJKMNP-TV-Z]{6}$'),  -- the first half of every code it shows
  brand_id   uuid not null,
  member_id  uuid not null,
  session_id uuid not null unique references member_sessions (id) on delete cascade,
  issued_at  timestamptz not null,
  constraint digital_id_devices_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index digital_id_devices_member on digital_id_devices (member_id);
