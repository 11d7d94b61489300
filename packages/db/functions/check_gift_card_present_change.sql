-- The lifecycle of a present; packages/core/gift-cards/presents-rules.ts has the same transitions (G6). Work on the queue is no
-- change of the present.
create or replace function check_gift_card_present_change() returns trigger language plpgsql as $$
begin
  if (old.line_id, old.public_id, old.brand_id, old.made_at) is distinct from (new.line_id, new.public_id, new.brand_id, new.made_at) then
    raise exception 'present % is of one card', old.id using errcode = 'check_violation';
  end if;
  if new.version = old.version and (old.state, old.token_hash, old.opener_hash, old.sends)
    is distinct from (new.state, new.token_hash, new.opener_hash, new.sends)
    or new.version not in (old.version, old.version + 1) then
    raise exception 'present % changes by one version at a time', old.id using errcode = 'check_violation';
  end if;
  if old.state <> new.state and (old.state, new.state) not in (
    ('planned', 'sent'), ('planned', 'taken_back'),
    ('sent', 'bounced'), ('sent', 'opened'), ('sent', 'planned'), ('sent', 'taken_back'),
    ('bounced', 'opened'), ('bounced', 'planned'), ('bounced', 'taken_back')) then
    raise exception 'a present cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  return new;
end $$;
