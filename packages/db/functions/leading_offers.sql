--!include live_offers.sql
-- Returns the most popular offers of the categories `slugs`, each retailer once: the offers that a home page leads
-- with (D1). At most `take`, chosen among 32. Large categories are read by popularity and small ones as a whole, as in
-- similar_offers. The plan is generic and kept, too.
create or replace function leading_offers(brand uuid, moment timestamptz, slugs text[], take integer)
returns table (offer_id uuid, place bigint)
language plpgsql stable parallel safe rows 8 set plan_cache_mode = force_generic_plan as $$
declare
  wanted constant uuid[] := array(select c.id from categories c where c.slug = any(slugs));
  few constant uuid[] := array(select oc.offer_id from offer_categories oc where oc.category_id = any(wanted) limit 1000);
  are_all constant boolean := cardinality(few) < 1000;
begin
  return query
  with of_small as (
    select o.id, o.public_id, o.retailer_id, o.popularity from live_offers(brand, moment) o
    where are_all and o.id = any(few) order by o.popularity desc, o.public_id limit 32
  ), of_large as (
    select o.id, o.public_id, o.retailer_id, o.popularity from live_offers(brand, moment) o
    where not are_all and exists (select from offer_categories oc where oc.offer_id = o.id and oc.category_id = any(wanted))
    order by o.popularity desc, o.public_id limit 32
  )
  select once.id, row_number() over (order by once.popularity desc, once.public_id) as nth from (
    select distinct on (p.retailer_id) p.* from (select * from of_small union all select * from of_large) p
    order by p.retailer_id, p.popularity desc, p.public_id) once
  order by nth limit take;
end $$;
