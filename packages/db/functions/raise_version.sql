-- Numbers the states of a record, so that a form that was opened before somebody else saved is noticed.
create or replace function raise_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
