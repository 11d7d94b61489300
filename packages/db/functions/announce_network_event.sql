-- Wakes the workers when a push is committed.
create or replace function announce_network_event() returns trigger language plpgsql as $$
begin
  perform pg_notify('network_events', '');
  return null;
end $$;
