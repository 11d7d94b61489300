--!include search_fold.sql
-- Returns one page of the matching offers where very many match: offers of a retailer whose name is exactly `typed`
-- come first, then the others in the order of an index on the sort key, read until the page is full. The match calls
-- the function behind the operator @@, which the planner cannot answer from the words' index: with the operator it
-- would read and sort every match. The lexemes are those of the first offer's document.
create or replace function search_offers_scan(brand uuid, moment timestamptz, typed text, words tsquery, sort text,
  skip integer, take integer)
returns table (offer_id uuid, place integer, lexemes text[])
language plpgsql stable parallel safe rows 24 set plan_cache_mode = force_generic_plan as $$
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
       order by c.popularity desc, c.offer_id limit skip + take)
      union all
      (select 1, c.offer_id, c.popularity, c.document from search_offers c
       where c.retailer_id <> all(exact) and ts_match_vq(c.document, words)
         and brand = any(c.brand_ids) and c.starts_at <= moment and (c.ends_at is null or c.ends_at > moment)
       order by c.popularity desc, c.offer_id limit skip + take)) both_parts
    order by both_parts.rank, both_parts.popularity desc, both_parts.offer_id limit take offset skip) s
  window w as (order by s.rank, s.popularity desc, s.offer_id) order by 2;
end $$;
