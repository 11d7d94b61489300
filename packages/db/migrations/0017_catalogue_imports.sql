-- Imports of the club's own editorial file are recorded like those of a network's, and withdrawals are counted.
-- The content hash is also the stamp by which the demo catalogue's seed knows that a file has been imported before.

alter table catalogue_imports drop constraint catalogue_imports_content_kind_check;
alter table catalogue_imports add constraint catalogue_imports_content_kind_check
  check (content_kind in ('programmes', 'promotions', 'codes', 'editorial'));
alter table catalogue_imports add column rows_withdrawn integer not null default 0 check (rows_withdrawn >= 0);
create index catalogue_imports_content on catalogue_imports (network_id, content_hash);
