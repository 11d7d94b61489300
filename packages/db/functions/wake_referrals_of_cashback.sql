-- Purchases of invited friends have changed: the worker looks at their referrals (C8). Runs once for a statement, in the transaction of the change.
create or replace function wake_referrals_of_cashback() returns trigger language plpgsql as $$
begin
  insert into referral_watches (referral_id, next_look_at)
  select referral.id, min(change.changed_at)
  from changed change
    join cashback_entries entry on entry.id = change.entry_id
    join referrals referral on referral.member_id = entry.member_id
  group by referral.id
  order by referral.id
  on conflict (referral_id) do update
    set next_look_at = least(referral_watches.next_look_at, excluded.next_look_at), attempts = 0;
  return null;
end $$;
