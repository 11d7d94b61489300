-- The lifecycle of a bonus; packages/core/referrals/rules.ts has the same transitions (C8).
create or replace function check_bonus_change() returns trigger language plpgsql as $$
begin
  if old.state <> new.state and (old.state, new.state) not in (
    ('invited', 'qualifying'), ('invited', 'held'), ('invited', 'confirmed'), ('invited', 'payable'), ('invited', 'expired'), ('invited', 'ended'),
    ('qualifying', 'invited'), ('qualifying', 'held'), ('qualifying', 'confirmed'), ('qualifying', 'payable'), ('qualifying', 'expired'), ('qualifying', 'ended'),
    ('held', 'invited'), ('held', 'qualifying'), ('held', 'confirmed'), ('held', 'payable'), ('held', 'expired'), ('held', 'ended'),
    ('confirmed', 'held'), ('confirmed', 'payable'), ('confirmed', 'reversed'), ('confirmed', 'ended'),
    ('payable', 'held'), ('payable', 'confirmed'), ('payable', 'reversed'), ('payable', 'ended'),
    ('reversed', 'held'), ('reversed', 'confirmed'), ('reversed', 'payable'), ('reversed', 'ended'),
    ('expired', 'qualifying'), ('expired', 'held'), ('expired', 'confirmed'), ('expired', 'payable'), ('expired', 'ended')) then
    raise exception 'a bonus cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if (old.amount_pence, old.member_id, old.brand_id, old.referral_id, old.side)
    is distinct from (new.amount_pence, new.member_id, new.brand_id, new.referral_id, new.side) then
    raise exception 'bonus % is for one member and one amount', old.id using errcode = 'check_violation';
  end if;
  if new.version <> old.version + 1 then
    raise exception 'bonus % changes by one version at a time', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
