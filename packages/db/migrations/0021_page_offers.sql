-- The lists of offers on the busiest pages as functions with a kept, generic plan (as search's, 0012): left to itself the server plans them anew
-- every time, because it can't tell from a parameter that nearly all offers have begun, and planning costs several times the answer.

-- Where to go instead of an offer: up to `nearby` others of its retailer, then the most popular elsewhere that share a category; `take` in all.
create function similar_offers(brand uuid, moment timestamptz, offer uuid, nearby integer, take integer)
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
    select o.id, o.public_id, o.popularity, 1 as rank from live_offers(brand, moment) o
    where o.retailer_id <> retailer
      and exists (select from offer_categories oc where oc.offer_id = o.id and oc.category_id = any(categories))
    order by o.popularity desc, o.public_id limit take
  )
  select c.id, row_number() over (order by c.rank, c.popularity desc, c.public_id) as nth
  from (select * from same union all select * from elsewhere) c order by nth limit take;
end $$;

-- The three rows of a home page: the most popular and the latest offers, each retailer once (a row with six offers of one retailer tells a visitor
-- little), and those that end soonest; at most `take` each. Each retailer is looked for among eight times as many.
create function home_offers(brand uuid, moment timestamptz, take integer)
returns table (list text, offer_id uuid, place bigint)
language plpgsql stable parallel safe rows 36 set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select 'featured', once.id, row_number() over (order by once.popularity desc, once.public_id) from (
    select distinct on (p.retailer_id) p.* from (
      select o.id, o.public_id, o.retailer_id, o.popularity from live_offers(brand, moment) o order by o.popularity desc, o.public_id limit take * 8) p
    order by p.retailer_id, p.popularity desc, p.public_id) once
  order by 3 limit take;
  return query
  select 'latest', once.id, row_number() over (order by once.starts_at desc, once.public_id) from (
    select distinct on (p.retailer_id) p.* from (
      select o.id, o.public_id, o.retailer_id, o.starts_at from live_offers(brand, moment) o order by o.starts_at desc, o.public_id limit take * 8) p
    order by p.retailer_id, p.starts_at desc, p.public_id) once
  order by 3 limit take;
  return query
  select 'ending', e.id, row_number() over (order by e.ends_at, e.public_id) from (
    select o.id, o.public_id, o.ends_at from live_offers(brand, moment) o where o.ends_at is not null order by o.ends_at, o.public_id limit take) e
  order by 3;
end $$;
