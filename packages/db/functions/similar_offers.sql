--!include live_offers.sql
-- Returns offers to show instead of `offer`: up to `nearby` others of its retailer, then the most popular of other
-- retailers that share a category; at most `take` in all, and twelve.
--
-- The others of a large category are found by reading the most popular offers until there are enough, those of a small
-- one by reading the category. So neither reads more than a few thousand of a hundred thousand offers.
--
-- The plan is generic and kept: PostgreSQL cannot tell from a parameter that nearly all offers have begun, so it would
-- plan every call anew, which takes several times as long as the answer.
create or replace function similar_offers(brand uuid, moment timestamptz, offer uuid, nearby integer, take integer)
returns table (offer_id uuid, place bigint)
language plpgsql stable parallel safe rows 8 set plan_cache_mode = force_generic_plan as $$
declare
  retailer constant uuid := (select o.retailer_id from offers o where o.id = offer);
  categories constant uuid[] := array(select oc.category_id from offer_categories oc where oc.offer_id = offer);
  few constant uuid[] := array(select oc.offer_id from offer_categories oc where oc.category_id = any(categories) limit 1000);
  are_all constant boolean := cardinality(few) < 1000;
begin
  return query
  with same as (
    select o.id, o.public_id, o.popularity, 0 as rank from live_offers(brand, moment) o
    where o.retailer_id = retailer and o.id <> offer order by o.popularity desc, o.public_id limit nearby
  ), of_small as (
    select o.id, o.public_id, o.popularity, 1 as rank from live_offers(brand, moment) o
    where are_all and o.retailer_id <> retailer and o.id = any(few)
    order by o.popularity desc, o.public_id limit 12
  ), of_large as (
    select o.id, o.public_id, o.popularity, 1 as rank from live_offers(brand, moment) o
    where not are_all and o.retailer_id <> retailer
      and exists (select from offer_categories oc where oc.offer_id = o.id and oc.category_id = any(categories))
    order by o.popularity desc, o.public_id limit 12
  )
  select c.id, row_number() over (order by c.rank, c.popularity desc, c.public_id) as nth
  from (select * from same union all select * from of_small union all select * from of_large) c order by nth limit take;
end $$;
