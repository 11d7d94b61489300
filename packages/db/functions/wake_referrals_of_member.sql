-- A member's address or membership was verified, or they have left: the worker looks at their referrals at once (C8).
create or replace function wake_referrals_of_member() returns trigger language plpgsql as $$
begin
  insert into referral_watches (referral_id, next_look_at)
  select id, to_timestamp(0) from referrals where member_id = new.id or inviter_id = new.id order by id
  on conflict (referral_id) do update set next_look_at = excluded.next_look_at, attempts = 0;
  return null;
end $$;
