--!include live_offers.sql
-- Returns the three rows of a home page (D1), at most `take` offers each: `featured` (most popular) and `latest`, with
-- each retailer once, because a row with six offers of one retailer tells a visitor little; and `ending` (ends
-- soonest). The first two choose among eight times `take` offers. The plan is generic and kept, as in similar_offers.
create or replace function home_offers(brand uuid, moment timestamptz, take integer)
returns table (list text, offer_id uuid, place bigint)
language plpgsql stable parallel safe rows 36 set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select 'featured', once.id, row_number() over (order by once.popularity desc, once.public_id) from (
    select distinct on (p.retailer_id) p.* from (
      select o.id, o.public_id, o.retailer_id, o.popularity from live_offers(brand, moment) o
        order by o.popularity desc, o.public_id limit take * 8) p
    order by p.retailer_id, p.popularity desc, p.public_id) once
  order by 3 limit take;
  return query
  select 'latest', once.id, row_number() over (order by once.starts_at desc, once.public_id) from (
    select distinct on (p.retailer_id) p.* from (
      select o.id, o.public_id, o.retailer_id, o.starts_at from live_offers(brand, moment) o
        order by o.starts_at desc, o.public_id limit take * 8) p
    order by p.retailer_id, p.starts_at desc, p.public_id) once
  order by 3 limit take;
  return query
  select 'ending', e.id, row_number() over (order by e.ends_at, e.public_id) from (
    -- Says again what live_offers does, so that the index is not read from the first offer that ever ended.
    select o.id, o.public_id, o.ends_at from live_offers(brand, moment) o where o.ends_at > moment
      order by o.ends_at, o.public_id limit take) e
  order by 3;
end $$;
