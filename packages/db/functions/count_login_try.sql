-- Counts a try and returns 0, or returns the seconds to wait and counts nothing (M2, S1). The n-th try after `free`
-- tries is followed by a wait of `first_wait` * 2^n seconds, at most `max_wait`. Nothing is ever locked. A try made
-- during a wait is not counted, so that hammering does not lengthen anybody's wait.
create or replace function count_login_try(wanted text, free integer, window_seconds integer, first_wait integer,
  max_wait integer)
returns integer language plpgsql as $$
declare
  at timestamptz;
  counted login_tries;
begin
  loop
    insert into login_tries (key, tries, resets_at)
      values (wanted, 0, clock_timestamp() + window_seconds * interval '1 second') on conflict do nothing;
    select * into counted from login_tries where key = wanted for update;
    exit when found; -- else the row was deleted in between: insert it again
  end loop;
  at := clock_timestamp();
  if counted.waits_until > at then
    return greatest(1, ceil(extract(epoch from counted.waits_until - at)));
  end if;
  if counted.resets_at <= at then
    counted.tries := 0;
    counted.resets_at := at + window_seconds * interval '1 second';
  end if;
  counted.tries := counted.tries + 1;
  counted.waits_until := case when counted.tries >= free
    then at + least(max_wait, first_wait * 2 ^ least(counted.tries - free, 20)) * interval '1 second' end;
  update login_tries set
    tries = counted.tries,
    waits_until = counted.waits_until,
    resets_at = greatest(counted.resets_at, counted.waits_until + window_seconds * interval '1 second')
  where key = wanted;
  return 0;
end $$;
