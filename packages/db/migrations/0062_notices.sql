-- What operators tell everybody about the running of the site (P6): on /status, and in a bar on every page while it holds.

--!include raise_version.sql
--!include tell_of_site_content.sql

create table notices (
  id        uuid primary key,
  brand_id  uuid references brands (id) on delete cascade,  -- null: every brand
  kind      text not null check (kind in ('planned', 'trouble', 'over')),
  title     text not null check (length(title) between 1 and 80),
  text      text not null check (length(text) between 1 and 500),
  since     timestamptz not null,
  until     timestamptz check (until > since),              -- null: until an operator ends it
  version   integer not null default 1
);
create trigger notices_version before update on notices for each row when (old.* is distinct from new.*) execute function raise_version();
create trigger notices_told after insert or update or delete on notices for each statement execute function tell_of_site_content();
