-- For evidence of the accounts: rows are written once. Seven years after the time in the column that the trigger names first, no
-- accounts need them (decision 055): they may be deleted, and the columns that it names after that may be changed.
create or replace function keep_for_accounts() returns trigger language plpgsql as $$
begin
  if (to_jsonb(old) ->> tg_argv[0])::timestamptz >= now() - interval '7 years' then
    raise exception '% on % is refused: its rows are written once and kept for seven years', lower(tg_op), tg_table_name
      using errcode = 'restrict_violation';
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  if to_jsonb(old) - tg_argv[1:] <> to_jsonb(new) - tg_argv[1:] then
    raise exception 'update on % is refused: only what may point to a person is removed', tg_table_name
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
