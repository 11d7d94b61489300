-- Narrowing (0039) spoiled the plan for searches that narrow nothing: with conditions that may or may not hold, a generic plan expects few rows, and
-- common words took three times as long. So the plain search has its functions of 0012 again, now with the kinds counted, and the narrowed one, which is
-- rare, plans for what it is asked.

alter function search_offers_page(uuid, timestamptz, text, tsquery, text, text, uuid, integer, integer, integer, integer)
  rename to search_offers_narrowed;
alter function search_offers_narrowed(uuid, timestamptz, text, tsquery, text, text, uuid, integer, integer, integer, integer)
  set plan_cache_mode = force_custom_plan;
alter function search_offers_scan(uuid, timestamptz, text, tsquery, text, text, uuid, integer, integer, integer)
  set plan_cache_mode = force_custom_plan;

-- One page of the offers that match, where very many do: as in 0012.
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

-- One page of the offers that match: as in 0012. `kinds` counts the matches by kind; it is null where there are more than most_counted.
create function search_offers_page(brand uuid, moment timestamptz, typed text, words tsquery, sort text, most_counted integer, skip integer, take integer)
returns table (total integer, offer_id uuid, place integer, lexemes text[], kinds jsonb)
language plpgsql stable parallel safe rows 24 set plan_cache_mode = force_generic_plan as $$
begin
  for total, offer_id, place, lexemes, kinds in
    with exact as materialized (
      select e.retailer_id from search_retailers e where sort = 'relevance' and e.name_folded = search_fold(typed) and brand = any(e.brand_ids)
    ), hits as materialized (
      select s.* from search_offers s
      where s.document @@ words and brand = any(s.brand_ids) and s.starts_at <= moment and (s.ends_at is null or s.ends_at > moment)
      limit most_counted + 1
    ), by_kind as materialized (
      select h.kind, count(*)::integer as n from hits h group by h.kind
    ), counted as materialized (
      select coalesce(sum(b.n), 0)::integer as n, jsonb_object_agg(b.kind, b.n) filter (where b.n > 0) as kinds from by_kind b
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
    select counted.n, page.offer_id, page.nth, case when page.nth = skip + 1 then tsvector_to_array(page.document) end,
      case when page.nth = skip + 1 then counted.kinds end
    from counted left join page on true order by page.nth
  loop
    exit when total > most_counted;
    return next;
  end loop;
  if total > most_counted then
    return query select most_counted + 1, s.*, null::jsonb from search_offers_scan(brand, moment, typed, words, sort, skip, take) s;
  end if;
end $$;
