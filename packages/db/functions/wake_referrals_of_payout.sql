-- Money has come back from a batch or from the bank: the worker looks at the member's bonuses whose referral is held or refused (C8).
create or replace function wake_referrals_of_payout() returns trigger language plpgsql as $$
begin
  insert into referral_watches (referral_id, next_look_at)
  select distinct hold.referral_id, to_timestamp(0)
  from bonuses bonus join referral_holds hold on hold.referral_id = bonus.referral_id
  where bonus.member_id = new.member_id and bonus.state = 'payable' and hold.decision is distinct from 'lifted'
  order by hold.referral_id
  on conflict (referral_id) do update set next_look_at = excluded.next_look_at, attempts = 0;
  return null;
end $$;
