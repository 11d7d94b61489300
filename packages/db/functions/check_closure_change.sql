-- The lifecycle of a closure; packages/core/closures/rules.ts has the same transitions (M5).
create or replace function check_closure_change() returns trigger language plpgsql as $$
begin
  if old.state <> new.state and (old.state, new.state) not in (
    ('requested', 'awaiting_payout'), ('requested', 'closed'), ('requested', 'cancelled'),
    ('awaiting_payout', 'closed')) then
    raise exception 'a closure cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if new.version <> old.version + 1 then
    raise exception 'closure % changes by one version at a time', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
