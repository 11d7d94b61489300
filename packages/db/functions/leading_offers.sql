--!include popular_offers.sql
-- Returns the most popular offers of the categories `slugs`, each retailer once: the offers that a home page leads
-- with (D1). At most `take`, chosen among 32. The plan is generic and kept, as in popular_offers.
create or replace function leading_offers(brand uuid, moment timestamptz, slugs text[], take integer)
returns table (offer_id uuid, place bigint)
language plpgsql stable parallel safe rows 8 set plan_cache_mode = force_generic_plan as $$
declare
  wanted constant uuid[] := array(select c.id from categories c where c.slug = any(slugs));
begin
  return query
  select once.id, row_number() over (order by once.popularity desc, once.public_id) as nth from (
    select distinct on (p.retailer_id) p.* from popular_offers(brand, moment, wanted, null) p
    order by p.retailer_id, p.popularity desc, p.public_id) once
  order by nth limit take;
end $$;
