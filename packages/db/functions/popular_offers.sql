--!include live_offers.sql
-- Returns the 32 most popular live offers of the categories `wanted`, without those of the retailer `besides` (null: of
-- any). A large category is read by popularity until there are enough, and a small one as a whole, so that neither reads
-- more than a few thousand of a hundred thousand offers.
--
-- The plan is generic and kept: PostgreSQL cannot tell from a parameter that nearly all offers have begun, so it would
-- plan every call anew, which takes several times as long as the answer. The numbers are no parameters, because it would
-- plan for a tenth of all offers.
create or replace function popular_offers(brand uuid, moment timestamptz, wanted uuid[], besides uuid)
returns table (id uuid, public_id text, retailer_id uuid, popularity integer)
language plpgsql stable parallel safe rows 32 set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  few constant uuid[] := array(select oc.offer_id from offer_categories oc where oc.category_id = any(wanted) limit 1000);
begin
  if cardinality(few) < 1000 then
    return query
    select o.id, o.public_id, o.retailer_id, o.popularity from live_offers(brand, moment) o
    where o.id = any(few) and o.retailer_id is distinct from besides
    order by o.popularity desc, o.public_id limit 32;
  else
    return query
    select o.id, o.public_id, o.retailer_id, o.popularity from live_offers(brand, moment) o
    where o.retailer_id is distinct from besides
      and exists (select from offer_categories oc where oc.offer_id = o.id and oc.category_id = any(wanted))
    order by o.popularity desc, o.public_id limit 32;
  end if;
end $$;
