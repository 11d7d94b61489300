-- The lifecycle of a claim; packages/core/claims/rules.ts has the same transitions (C7).
create or replace function check_claim_change() returns trigger language plpgsql as $$
begin
  if old.state <> new.state and (old.state, new.state) not in (
    ('waiting', 'open'), ('waiting', 'incomplete'), ('waiting', 'credited'), ('waiting', 'withdrawn'),
    ('incomplete', 'open'), ('incomplete', 'filed'), ('incomplete', 'accepted'), ('incomplete', 'declined'),
    ('incomplete', 'credited'), ('incomplete', 'withdrawn'), ('incomplete', 'expired'),
    ('open', 'filed'), ('open', 'incomplete'), ('open', 'accepted'), ('open', 'declined'), ('open', 'credited'), ('open', 'withdrawn'),
    ('filed', 'incomplete'), ('filed', 'accepted'), ('filed', 'declined'), ('filed', 'credited'),
    ('accepted', 'credited'), ('accepted', 'declined'),
    ('declined', 'open'), ('declined', 'credited'), ('declined', 'goodwill'),
    ('goodwill', 'declined')) then
    raise exception 'a claim cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if (old.member_id, old.brand_id, old.click_id, old.retailer_id, old.network_id, old.order_reference, old.made_at)
    is distinct from (new.member_id, new.brand_id, new.click_id, new.retailer_id, new.network_id, new.order_reference, new.made_at) then
    raise exception 'claim % keeps its member, click and order', old.public_id using errcode = 'check_violation';
  end if;
  if old.state <> new.state and new.version <> old.version + 1 then
    raise exception 'claim % changes by one version at a time', old.public_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
