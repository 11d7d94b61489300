-- Keeps cashback_months in step with cashback_entries, one row per member and month of purchase (C3). Called once per
-- statement, with the rows in one order, so that statements of one member cannot deadlock.
create or replace function count_cashback_months() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into cashback_months as known (member_id, month, purchases, tracked_pence, confirmed_pence, payable_pence, paid_pence, declined_pence)
    select member_id, date_trunc('month', purchased_at at time zone 'Europe/London')::date,
      count(*) filter (where entry_kind = 'purchase'),
      coalesce(sum(cashback_pence) filter (where state = 'tracked'), 0),
      coalesce(sum(cashback_pence) filter (where state = 'confirmed'), 0),
      coalesce(sum(cashback_pence) filter (where state = 'payable'), 0),
      coalesce(sum(cashback_pence) filter (where state = 'paid'), 0),
      coalesce(sum(cashback_pence) filter (where state = 'declined'), 0)
    from fresh group by 1, 2 order by 1, 2
    on conflict (member_id, month) do update set purchases = known.purchases + excluded.purchases,
      tracked_pence = known.tracked_pence + excluded.tracked_pence,
      confirmed_pence = known.confirmed_pence + excluded.confirmed_pence,
      payable_pence = known.payable_pence + excluded.payable_pence,
      paid_pence = known.paid_pence + excluded.paid_pence,
      declined_pence = known.declined_pence + excluded.declined_pence;
  else
    insert into cashback_months as known (member_id, month, purchases, tracked_pence, confirmed_pence, payable_pence, paid_pence, declined_pence)
    select member_id, date_trunc('month', purchased_at at time zone 'Europe/London')::date,
      coalesce(sum(sign) filter (where entry_kind = 'purchase'), 0),
      coalesce(sum(sign * cashback_pence) filter (where state = 'tracked'), 0),
      coalesce(sum(sign * cashback_pence) filter (where state = 'confirmed'), 0),
      coalesce(sum(sign * cashback_pence) filter (where state = 'payable'), 0),
      coalesce(sum(sign * cashback_pence) filter (where state = 'paid'), 0),
      coalesce(sum(sign * cashback_pence) filter (where state = 'declined'), 0)
    from (
      select member_id, purchased_at, entry_kind, state, cashback_pence, 1 as sign from fresh
      union all
      select member_id, purchased_at, entry_kind, state, cashback_pence, -1 as sign from was) moved
    group by 1, 2 order by 1, 2
    on conflict (member_id, month) do update set purchases = known.purchases + excluded.purchases,
      tracked_pence = known.tracked_pence + excluded.tracked_pence,
      confirmed_pence = known.confirmed_pence + excluded.confirmed_pence,
      payable_pence = known.payable_pence + excluded.payable_pence,
      paid_pence = known.paid_pence + excluded.paid_pence,
      declined_pence = known.declined_pence + excluded.declined_pence;
  end if;
  return null;
end $$;
