-- How far each backfill is (packages/db/backfills.ts, R2): it fills in what a migration has added, in batches by key, while traffic goes on.
create table backfills (
  name        text primary key,
  -- The last key that was looked at; null: none yet.
  after_key   text,
  rows_seen   bigint not null default 0,
  started_at  timestamptz not null default now(),
  finished_at timestamptz
);
