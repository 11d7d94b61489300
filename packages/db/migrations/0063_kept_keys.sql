-- Earlier keys that unused recovery codes are hashed with (S1), encrypted with the current key of the same purpose: a rotation of
-- FARTHING_SECRET can't hash the codes again without them.
create table kept_keys (
  purpose text not null check (purpose in ('member-secrets', 'operator-secrets')),
  key_id  text not null check (key_id ~ '^[0-9a-f]{16}$'),
  sealed  text not null,
  -- Codes that were made later have a later key.
  kept_at timestamptz not null,
  primary key (purpose, key_id)
);
