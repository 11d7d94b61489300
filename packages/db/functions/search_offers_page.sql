--!include search_fold.sql
--!include search_offers_scan.sql
-- Returns one page of the matching offers (D2). Up to `max_counted` matches are gathered and ranked by `sort`; with
-- more, the page comes from search_offers_scan and `total` is `max_counted` + 1. `kinds` counts the matches by kind;
-- it is null where there are more than `max_counted`.
--
-- The questions of search are functions because planning them took longer than answering them. PL/pgSQL keeps the plan
-- for as long as the connection lives, also behind a transaction pooler, where prepared statements may not survive.
-- The plan is generic on purpose: the right one for rare words (the words' index) is also right for common ones, since
-- each query stops counting early.
create or replace function search_offers_page(brand uuid, moment timestamptz, typed text, words tsquery, sort text,
  max_counted integer, skip integer, take integer)
returns table (total integer, offer_id uuid, place integer, lexemes text[], kinds jsonb)
language plpgsql stable parallel safe rows 24 set plan_cache_mode = force_generic_plan as $$
begin
  for total, offer_id, place, lexemes, kinds in
    with exact as materialized (
      select e.retailer_id from search_retailers e
        where sort = 'relevance' and e.name_folded = search_fold(typed) and brand = any(e.brand_ids)
    ), hits as materialized (
      select s.* from search_offers s
      where s.document @@ words and brand = any(s.brand_ids) and s.starts_at <= moment
        and (s.ends_at is null or s.ends_at > moment)
      limit max_counted + 1
    ), by_kind as materialized (
      select h.kind, count(*)::integer as n from hits h group by h.kind
    ), counted as materialized (
      select coalesce(sum(b.n), 0)::integer as n, jsonb_object_agg(b.kind, b.n) filter (where b.n > 0) as kinds
        from by_kind b
    ), page as (
      select h.offer_id, h.document, (row_number() over (order by
        case when sort = 'relevance' then h.retailer_id in (select e.retailer_id from exact e) end desc nulls last,
        case sort
          -- The logarithm of popularity decides between similar matches, not between good and bad ones.
          when 'relevance' then
            ts_rank('{0.05, 0.2, 0.6, 1}', h.document, words) * (1 + ln(1 + greatest(h.popularity, 0)))
          when 'newest' then extract(epoch from h.starts_at)
          when 'ending' then -extract(epoch from h.ends_at)
          else h.popularity
        end desc nulls last, h.offer_id))::integer as nth
      from hits h where (select n from counted) <= max_counted order by nth limit take offset skip
    )
    select counted.n, page.offer_id, page.nth, case when page.nth = skip + 1 then tsvector_to_array(page.document) end,
      case when page.nth = skip + 1 then counted.kinds end
    from counted left join page on true order by page.nth
  loop
    exit when total > max_counted;
    return next;
  end loop;
  if total > max_counted then
    return query select max_counted + 1, s.*, null::jsonb
      from search_offers_scan(brand, moment, typed, words, sort, skip, take) s;
  end if;
end $$;
