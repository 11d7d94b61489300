-- Keeps programme_rates as rate_tiers and boosts say (C5), after each statement that changes them. Cards read it: to gather a programme's tiers from their
-- rows took longer than everything else about a card.
--
-- Two transactions that change tiers of one programme wait for each other at its row here, so that the later one reads what the earlier one has written.
-- Rows are locked in the order of their ids, after the tiers.
create or replace function keep_programme_rates() returns trigger language plpgsql as $$
declare
  changed uuid[];
begin
  if tg_table_name = 'boosts' then
    -- A boost that leaves with its tier has no tier any more: the tier's own statement keeps the rest.
    case tg_op
      when 'INSERT' then
        changed := array(select t.programme_id from rate_tiers t where t.id in (select n.rate_tier_id from new_rows n));
      when 'DELETE' then
        changed := array(select t.programme_id from rate_tiers t where t.id in (select o.rate_tier_id from old_rows o));
      else
        changed := array(select t.programme_id from rate_tiers t
          where t.id in (select n.rate_tier_id from new_rows n union select o.rate_tier_id from old_rows o));
    end case;
  else
    case tg_op
      when 'INSERT' then
        changed := array(select n.programme_id from new_rows n);
      when 'DELETE' then
        changed := array(select o.programme_id from old_rows o);
      else
        -- Marks and what the network pays are on no card. Not a join: its plan is kept for few rows, and would compare each row of many with all.
        changed := array(select differing.programme_id from (
          (select n.programme_id, n.id, n.label, n.basis, n.rate_kind, n.member_rate_bp, n.member_rate_pence, n.cap_pence, n.position from new_rows n
            except select o.programme_id, o.id, o.label, o.basis, o.rate_kind, o.member_rate_bp, o.member_rate_pence, o.cap_pence, o.position from old_rows o)
          union all
          (select o.programme_id, o.id, o.label, o.basis, o.rate_kind, o.member_rate_bp, o.member_rate_pence, o.cap_pence, o.position from old_rows o
            except select n.programme_id, n.id, n.label, n.basis, n.rate_kind, n.member_rate_bp, n.member_rate_pence, n.cap_pence, n.position from new_rows n)
          ) differing);
    end case;
  end if;
  if cardinality(changed) = 0 then
    return null;
  end if;
  insert into programme_rates (programme_id)
    select p.id from programmes p where p.id = any(changed) order by p.id
    on conflict (programme_id) do nothing;
  perform from programme_rates k where k.programme_id = any(changed) order by k.programme_id for no key update;
  update programme_rates k set tiers = now_paid.tiers, boosted_until = now_paid.boosted_until
    from (select p.id, (select json_agg(json_build_array(t.label, t.basis, t.rate_kind, t.member_rate_bp, t.member_rate_pence, t.cap_pence, null)
            order by t.position, t.label) from rate_tiers t where t.programme_id = p.id) as tiers,
        (select max(b.ends_at) from rate_tiers t join boosts b on b.rate_tier_id = t.id where t.programme_id = p.id) as boosted_until
      from programmes p where p.id = any(changed)) now_paid
    where k.programme_id = now_paid.id;
  return null;
end $$;
