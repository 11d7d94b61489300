--!include live_offers.sql
-- Returns one page of a large category's live offers in the order of `sort` (D4, D5), of `only_kind` or of any kind (null).
-- It reads an index that has the order until the page is full: call it where many offers match, and for the first pages.
--
-- The plan is generic and kept, as in popular_offers. Each order is a query of its own, because a sort key that is chosen
-- by `case` has no index.
create or replace function large_category_page(brand uuid, moment timestamptz, category uuid, only_kind text, sort text,
  skip integer, take integer)
returns table (offer_id uuid, place bigint)
language plpgsql stable parallel safe rows 24 set plan_cache_mode = force_generic_plan as $$
begin
  if sort = 'newest' then
    return query
    select page.id, row_number() over (order by page.starts_at desc, page.public_id) from (
      select o.id, o.starts_at, o.public_id from live_offers(brand, moment) o
      where (only_kind is null or o.kind = only_kind)
        and exists (select from offer_categories oc where oc.offer_id = o.id and oc.category_id = category)
      order by o.starts_at desc, o.public_id limit take offset skip) page;
  elsif sort = 'ending' then
    return query
    select page.id, row_number() over (order by page.ends_at nulls last, page.public_id) from (
      select both_parts.* from (
        (select o.id, o.ends_at, o.public_id from live_offers(brand, moment) o
         where o.ends_at is not null and (only_kind is null or o.kind = only_kind)
           and exists (select from offer_categories oc where oc.offer_id = o.id and oc.category_id = category)
         order by o.ends_at, o.public_id limit skip + take)
        union all
        (select o.id, o.ends_at, o.public_id from live_offers(brand, moment) o
         where o.ends_at is null and (only_kind is null or o.kind = only_kind)
           and exists (select from offer_categories oc where oc.offer_id = o.id and oc.category_id = category)
         order by o.public_id limit skip + take)) both_parts
      limit take offset skip) page;
  else
    return query
    select page.id, row_number() over (order by page.popularity desc, page.public_id) from (
      select o.id, o.popularity, o.public_id from live_offers(brand, moment) o
      where (only_kind is null or o.kind = only_kind)
        and exists (select from offer_categories oc where oc.offer_id = o.id and oc.category_id = category)
      order by o.popularity desc, o.public_id limit take offset skip) page;
  end if;
end $$;
