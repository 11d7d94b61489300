-- Fingerprints of each FARTHING_SECRET that this database was used with (S1). A process with another secret does not start: it would
-- encrypt with a secret that nobody has chosen, and read nothing of what is there.
create table database_secrets (
  fingerprint text primary key check (fingerprint ~ '^[0-9a-f]{16}$'),
  first_used_at timestamptz not null default now()
);
