-- Returns the retailers that pay at least `bp` basis points at `moment`, boosts included. One set for the whole
-- listing: the same condition checked per offer or retailer took most of a narrowed listing's time.
create or replace function retailers_paying(moment timestamptz, bp integer)
returns table (id uuid) language sql stable parallel safe as $$
  select p.retailer_id from programmes p join rate_tiers t on t.programme_id = p.id
  where p.is_preferred and p.status = 'joined' and t.member_rate_bp >= bp
  union
  select p.retailer_id from boosts b join rate_tiers t on t.id = b.rate_tier_id join programmes p on p.id = t.programme_id
  where p.is_preferred and p.status = 'joined' and b.member_rate_bp >= bp and b.starts_at <= moment
    and b.ends_at > moment
$$;
