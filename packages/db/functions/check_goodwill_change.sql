-- Goodwill is given once and reversed at most once; packages/core/goodwill/rules.ts has the same transitions (C7). What was
-- given is fixed.
create or replace function check_goodwill_change() returns trigger language plpgsql as $$
begin
  -- After seven years no accounts need what was written about the member (decision 055).
  if old.given_at < now() - interval '7 years'
    and to_jsonb(old) - array['note', 'reversal_note'] = to_jsonb(new) - array['note', 'reversal_note'] then
    return new;
  end if;
  if (old.id, old.public_id, old.brand_id, old.member_id, old.reference, old.amount_pence, old.reason, old.note, old.given_by, old.given_at)
    is distinct from (new.id, new.public_id, new.brand_id, new.member_id, new.reference, new.amount_pence, new.reason, new.note, new.given_by, new.given_at) then
    raise exception 'goodwill % keeps what was given', old.public_id using errcode = 'check_violation';
  end if;
  if old.state <> new.state and (old.state, new.state) not in (('given', 'reversed')) then
    raise exception 'goodwill cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if old.state <> new.state and new.version <> old.version + 1 then
    raise exception 'goodwill % changes by one version at a time', old.public_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
