-- Returns a programme's tiers with the boosts in effect at `moment` (C5), as programme_rates has them without: for programmes that have a boost. A function
-- of its own, because every card would pay for starting this query if it stood in the card's own.
create or replace function boosted_tiers(programme uuid, moment timestamptz) returns json language plpgsql stable parallel safe as $$
begin
  return (
    select json_agg(json_build_array(t.label, t.basis, t.rate_kind, t.member_rate_bp, t.member_rate_pence, t.cap_pence, (
        select json_agg(json_build_array(b.member_rate_bp, b.member_rate_pence, b.starts_at, b.ends_at))
        from boosts b where b.rate_tier_id = t.id and b.starts_at <= moment and b.ends_at > moment)) order by t.position, t.label)
    from rate_tiers t where t.programme_id = programme);
end $$;
