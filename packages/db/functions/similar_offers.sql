--!include live_offers.sql
--!include popular_offers.sql
-- Returns offers to show instead of `offer`: up to `nearby` others of its retailer, then the most popular of other
-- retailers that share a category; at most `take` in all, which is at most 32. The plan is generic and kept, as in
-- popular_offers.
create or replace function similar_offers(brand uuid, moment timestamptz, offer uuid, nearby integer, take integer)
returns table (offer_id uuid, place bigint)
language plpgsql stable parallel safe rows 8 set plan_cache_mode = force_generic_plan as $$
declare
  retailer constant uuid := (select o.retailer_id from offers o where o.id = offer);
  categories constant uuid[] := array(select oc.category_id from offer_categories oc where oc.offer_id = offer);
begin
  return query
  with same as (
    select o.id, o.public_id, o.popularity, 0 as rank from live_offers(brand, moment) o
    where o.retailer_id = retailer and o.id <> offer order by o.popularity desc, o.public_id limit nearby
  ), elsewhere as (
    select o.id, o.public_id, o.popularity, 1 as rank from popular_offers(brand, moment, categories, retailer) o
  )
  select c.id, row_number() over (order by c.rank, c.popularity desc, c.public_id) as nth
  from (select * from same union all select * from elsewhere) c order by nth limit take;
end $$;
