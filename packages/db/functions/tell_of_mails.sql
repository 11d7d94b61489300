-- Wakes the workers when a mail, or a request that leads to one, is committed.
create or replace function tell_of_mails() returns trigger language plpgsql as $$
begin
  perform pg_notify('mails', '');
  return null;
end $$;
