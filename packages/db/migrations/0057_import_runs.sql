-- Imports under way, so that operators see how far they are and can stop them (A2). A row is kept as long as the import runs.

create table catalogue_import_runs (
  id           uuid primary key,
  source_name  text not null,                       -- as in catalogue_imports
  started_by   text not null,                       -- an operator's address, or "command: …"
  started_at   timestamptz not null default clock_timestamp(),
  -- The importing process says that it lives; a run that has been silent for a minute has ended with its process.
  heard_at     timestamptz not null default clock_timestamp(),
  stage        text not null default 'waiting' check (stage in ('waiting', 'reading', 'storing')),
  rows_read    integer not null default 0,
  stopped_by   text
);

-- Files of the club's own offers are listed among the imports; they are no network's.
alter table catalogue_imports alter column network_id drop not null;
alter table catalogue_imports drop constraint catalogue_imports_content_kind_check;
alter table catalogue_imports add constraint catalogue_imports_content_kind_check
  check (content_kind in ('programmes', 'promotions', 'codes', 'editorial', 'offers'));
