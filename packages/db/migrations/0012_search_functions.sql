-- The three questions of search as functions (called from packages/core/search), because planning them took longer than answering
-- them: PL/pgSQL keeps a plan for as long as its connection lives, also behind a pooler, where prepared statements can't. The plans are
-- generic on purpose: the right one for rare words (the words' index) is also right for common ones, since all of them stop counting early.

-- One page of the offers that match, where very many do: those of a retailer named exactly, then all in the order of an index on what they are
-- sorted by, read until the page is full. The match is written as the function behind @@, which the planner can't answer from the words' index: it
-- would read and sort every match.
create function search_offers_scan(brand uuid, moment timestamptz, typed text, words tsquery, sort text, skip integer, take integer)
returns table (offer_id uuid, place integer, lexemes text[])
language plpgsql stable parallel safe rows 24 set plan_cache_mode = force_generic_plan as $$
declare
  exact uuid[] := '{}';
begin
  if sort = 'newest' then
    return query
    select s.offer_id, (row_number() over (order by s.starts_at desc, s.offer_id))::integer as place, tsvector_to_array(s.document) from (
      select c.* from search_offers c
      where ts_match_vq(c.document, words) and brand = any(c.brand_ids) and c.starts_at <= moment and (c.ends_at is null or c.ends_at > moment)
      order by c.starts_at desc, c.offer_id limit take offset skip) s order by 2;
    return;
  elsif sort = 'ending' then
    return query
    select s.offer_id, (row_number() over (order by s.ends_at, s.offer_id))::integer as place, tsvector_to_array(s.document) from (
      select c.* from search_offers c
      where ts_match_vq(c.document, words) and brand = any(c.brand_ids) and c.starts_at <= moment and (c.ends_at is null or c.ends_at > moment)
      order by c.ends_at, c.offer_id limit take offset skip) s order by 2;
    return;
  end if;
  if sort = 'relevance' then
    exact := array(select e.retailer_id from search_retailers e where e.name_folded = search_fold(typed) and brand = any(e.brand_ids));
  end if;
  return query
  select s.offer_id, (row_number() over (order by s.rank, s.popularity desc, s.offer_id))::integer as place, tsvector_to_array(s.document) from (
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
    order by both_parts.rank, both_parts.popularity desc, both_parts.offer_id limit take offset skip) s order by 2;
end $$;

-- One page of the offers that match. Up to most_counted matches are gathered and ranked by `sort`; with more, the page comes from
-- search_offers_scan, and total says one more than most_counted.
create function search_offers_page(brand uuid, moment timestamptz, typed text, words tsquery, sort text, most_counted integer, skip integer, take integer)
returns table (total integer, offer_id uuid, place integer, lexemes text[])
language plpgsql stable parallel safe rows 24 set plan_cache_mode = force_generic_plan as $$
begin
  for total, offer_id, place, lexemes in
    with exact as materialized (
      select e.retailer_id from search_retailers e where sort = 'relevance' and e.name_folded = search_fold(typed) and brand = any(e.brand_ids)
    ), hits as materialized (
      select s.* from search_offers s
      where s.document @@ words and brand = any(s.brand_ids) and s.starts_at <= moment and (s.ends_at is null or s.ends_at > moment)
      limit most_counted + 1
    ), counted as materialized (
      select count(*)::integer as n from hits
    ), page as (
      select h.offer_id, h.document, (row_number() over (order by
        case when sort = 'relevance' then h.retailer_id in (select e.retailer_id from exact e) end desc nulls last,
        case sort
          -- Popularity counts by its logarithm: it settles between alike, not between right and wrong.
          when 'relevance' then ts_rank('{0.05, 0.2, 0.6, 1}', h.document, words) * (1 + ln(1 + greatest(h.popularity, 0)))
          when 'newest' then extract(epoch from h.starts_at)
          when 'ending' then -extract(epoch from h.ends_at)
          else h.popularity
        end desc nulls last, h.offer_id))::integer as nth
      from hits h where (select n from counted) <= most_counted order by nth limit take offset skip
    )
    select counted.n, page.offer_id, page.nth, case when page.nth = skip + 1 then tsvector_to_array(page.document) end
    from counted left join page on true order by page.nth
  loop
    exit when total > most_counted;
    return next;
  end loop;
  if total > most_counted then
    return query select most_counted + 1, s.* from search_offers_scan(brand, moment, typed, words, sort, skip, take) s;
  end if;
end $$;

-- Retailers that a query means, best first: the exact name, names that begin so, names that hold the words (already corrected); where there
-- is none of these and include_alike asks for it, names that look alike (pg_trgm's similarity of at least alike_from); and those that sell such things.
create function search_retailers_named(brand uuid, typed text, words tsquery, name_words tsquery, include_alike boolean, alike_from real, take integer)
returns table (retailer_id uuid, score double precision)
language plpgsql stable parallel safe rows 8 set plan_cache_mode = force_generic_plan as $$
declare
  candidates constant integer := 24;
  longest_name constant integer := 48; -- longer texts are sentences about an offer: no name is near them as a whole
  typed_name constant text := search_fold(typed);
begin
  return query
  with worded as materialized (
    (select s.retailer_id, s.popularity, 5::real as score from search_retailers s where s.name_folded = typed_name and brand = any(s.brand_ids))
    union all
    (select s.retailer_id, s.popularity, 3 from search_retailers s
     where s.name_folded ~>=~ typed_name and s.name_folded ~<~ (typed_name || chr(1114111)) and typed_name <> '' and brand = any(s.brand_ids)
     order by s.popularity desc, s.retailer_id limit candidates)
    union all
    (select s.retailer_id, s.popularity, case when s.document @@ name_words then 2.5 else 1 end as fit from search_retailers s
     where s.document @@ words and brand = any(s.brand_ids)
     order by fit desc, s.popularity desc, s.retailer_id limit candidates)
  ), alike as materialized (
    select s.retailer_id, s.popularity, 4 * similarity(s.name_folded, typed_name) as score from search_retailers s
    where include_alike and length(typed_name) between 3 and longest_name and not exists (select from worded w where w.score > 1)
    order by s.name_folded <-> typed_name limit candidates
  )
  select c.retailer_id, max(c.score) * (1 + 0.1 * ln(1 + greatest(max(c.popularity), 0)))
  from (select * from worded union all select * from alike where alike.score >= 4 * alike_from) c
  join visible_retailers(brand) v on v.id = c.retailer_id
  group by c.retailer_id order by bool_or(c.score = 5) desc, 2 desc, c.retailer_id limit take;
end $$;
