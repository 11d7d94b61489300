-- Returns a random token of 16 hexadecimal characters: the default of public ids, which are never sequential.
create or replace function random_public_id() returns text language sql volatile as
  $$ select left(replace(gen_random_uuid()::text, '-', ''), 16) $$;
