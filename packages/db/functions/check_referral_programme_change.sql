-- What a programme promised stays as it was promised; only its end can be set (C8).
create or replace function check_referral_programme_change() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - 'ends_at' - 'ended_by') is distinct from (to_jsonb(old) - 'ends_at' - 'ended_by') then
    raise exception 'referral programme % is fixed: end it and make another', old.public_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
