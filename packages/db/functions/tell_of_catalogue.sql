-- Tells every process that the catalogue has changed, once for each commit: pages that were rendered before are dropped.
create or replace function tell_of_catalogue() returns trigger language plpgsql as $$
begin
  perform pg_notify('catalogue', '');
  return null;
end $$;
