-- Networks' reports that operators gave as files (C2), and what they changed.
create table network_report_files (
  id uuid primary key,
  -- SHA-256 of the network and the file, in hex: the same file counts once.
  content_hash text not null unique check (content_hash ~ '^[0-9a-f]{64}$'),
  network_id uuid not null references networks (id),
  file_name text not null check (length(file_name) between 1 and 200),
  -- When the file was downloaded: of two reports with the same date of the network, the later one counts.
  downloaded_at timestamptz not null,
  rows_read integer not null check (rows_read >= 0),
  rows_new integer not null check (rows_new >= 0),
  rows_changed integer not null check (rows_changed >= 0),
  rows_failed integer not null check (rows_failed >= 0),
  rows_unreadable integer not null check (rows_unreadable >= 0),
  imported_at timestamptz not null,
  imported_by text not null check (length(imported_by) between 1 and 254)
);
create index network_report_files_latest on network_report_files (imported_at desc, id desc);
