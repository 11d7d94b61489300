--!include search_fold.sql
-- Returns one page of the matching offers, as search_offers_scan does, narrowed by kind, category and retailers. A
-- null argument narrows nothing.
create or replace function search_offers_narrowed_scan(brand uuid, moment timestamptz, typed text, words tsquery,
  sort text, only_kind text, only_category uuid, paying uuid[], skip integer, take integer)
returns table (offer_id uuid, place integer, lexemes text[])
language plpgsql stable parallel safe rows 24 set plan_cache_mode = force_custom_plan as $$
declare
  exact uuid[] := '{}';
begin
  if sort = 'newest' then
    return query
    select s.offer_id, (row_number() over w)::integer as place,
      case when row_number() over w = 1 then tsvector_to_array(s.document) end from (
      select c.* from search_offers c
      where ts_match_vq(c.document, words) and brand = any(c.brand_ids) and c.starts_at <= moment
        and (c.ends_at is null or c.ends_at > moment)
        and (only_kind is null or c.kind = only_kind) and (only_category is null or only_category = any(c.category_ids))
        and (paying is null or c.retailer_id = any(paying))
      order by c.starts_at desc, c.offer_id limit take offset skip) s
    window w as (order by s.starts_at desc, s.offer_id) order by 2;
    return;
  elsif sort = 'ending' then
    return query
    select s.offer_id, (row_number() over w)::integer as place,
      case when row_number() over w = 1 then tsvector_to_array(s.document) end from (
      select c.* from search_offers c
      where ts_match_vq(c.document, words) and brand = any(c.brand_ids) and c.starts_at <= moment
        and (c.ends_at is null or c.ends_at > moment)
        and (only_kind is null or c.kind = only_kind) and (only_category is null or only_category = any(c.category_ids))
        and (paying is null or c.retailer_id = any(paying))
      order by c.ends_at, c.offer_id limit take offset skip) s
    window w as (order by s.ends_at, s.offer_id) order by 2;
    return;
  end if;
  if sort = 'relevance' then
    exact := array(select e.retailer_id from search_retailers e
      where e.name_folded = search_fold(typed) and brand = any(e.brand_ids));
  end if;
  return query
  select s.offer_id, (row_number() over w)::integer as place,
    case when row_number() over w = 1 then tsvector_to_array(s.document) end from (
    select both_parts.* from (
      (select 0 as rank, c.offer_id, c.popularity, c.document from search_offers c
       where c.retailer_id = any(exact) and ts_match_vq(c.document, words)
         and brand = any(c.brand_ids) and c.starts_at <= moment and (c.ends_at is null or c.ends_at > moment)
         and (only_kind is null or c.kind = only_kind)
         and (only_category is null or only_category = any(c.category_ids))
         and (paying is null or c.retailer_id = any(paying))
       order by c.popularity desc, c.offer_id limit skip + take)
      union all
      (select 1, c.offer_id, c.popularity, c.document from search_offers c
       where c.retailer_id <> all(exact) and ts_match_vq(c.document, words)
         and brand = any(c.brand_ids) and c.starts_at <= moment and (c.ends_at is null or c.ends_at > moment)
         and (only_kind is null or c.kind = only_kind)
         and (only_category is null or only_category = any(c.category_ids))
         and (paying is null or c.retailer_id = any(paying))
       order by c.popularity desc, c.offer_id limit skip + take)) both_parts
    order by both_parts.rank, both_parts.popularity desc, both_parts.offer_id limit take offset skip) s
  window w as (order by s.rank, s.popularity desc, s.offer_id) order by 2;
end $$;
