-- Takes back a try that count_login_try counted but that led to no check, and the wait that followed from it.
create or replace function take_back_login_tries(wanted text[]) returns void language sql as $$
  update login_tries set tries = greatest(tries - 1, 0), waits_until = null
  where key in (select key from login_tries where key = any (wanted) order by key for update);
$$;
