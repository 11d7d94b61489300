--!include retailers_paying.sql
--!include search_fold.sql
--!include search_offers_narrowed_scan.sql
-- Returns one page of the matching offers, as search_offers_matching does, narrowed by kind, category and the least rate
-- `min_bp` (D2). A null argument narrows nothing. `kinds` counts the matches of every kind, also when `only_kind` is
-- given, so that a page can show what else there is; it is null where there are more than `max_counted` matches. In
-- that case the matches of `only_kind` are gathered alone, and the page comes from search_offers_narrowed_scan only if
-- these exceed `max_counted` too.
--
-- This is a function of its own with a custom plan per call: with conditions that may or may not apply, a generic plan
-- expects few rows, and common words took three times as long.
--
-- The filter stands in each query of search. A function that holds it is inlined into the same plan, but it takes 7 %
-- more processor time per call here (1.32 ms for 1.23 ms), because each call plans anew.
create or replace function search_offers_narrowed(brand uuid, moment timestamptz, typed text, words tsquery, sort text,
  only_kind text, only_category uuid, min_bp integer, max_counted integer, skip integer, take integer)
returns table (total integer, offer_id uuid, place integer, lexemes text[], kinds jsonb)
language plpgsql stable parallel safe rows 24 set plan_cache_mode = force_custom_plan as $$
declare
  gathered_kind text := null;
  paying uuid[] := null;
begin
  if min_bp is not null then
    paying := array(select p.id from retailers_paying(moment, min_bp) p);
  end if;
  loop
    for total, offer_id, place, lexemes, kinds in
      with exact as materialized (
        select e.retailer_id from search_retailers e
          where sort = 'relevance' and e.name_folded = search_fold(typed) and brand = any(e.brand_ids)
      ), hits as materialized (
        select * from (
        select s.* from search_offers s where s.tier = 0 and s.document @@ words
          and brand = any(s.brand_ids) and s.starts_at <= moment and (s.ends_at is null or s.ends_at > moment)
          and (gathered_kind is null or s.kind = gathered_kind)
          and (only_category is null or only_category = any(s.category_ids))
          and (paying is null or s.retailer_id = any(paying))
        union all
        select s.* from search_offers s where s.tier = 1 and s.document @@ words
          and brand = any(s.brand_ids) and s.starts_at <= moment and (s.ends_at is null or s.ends_at > moment)
          and (gathered_kind is null or s.kind = gathered_kind)
          and (only_category is null or only_category = any(s.category_ids))
          and (paying is null or s.retailer_id = any(paying))
        union all
        select s.* from search_offers s where s.tier = 2 and s.document @@ words
          and brand = any(s.brand_ids) and s.starts_at <= moment and (s.ends_at is null or s.ends_at > moment)
          and (gathered_kind is null or s.kind = gathered_kind)
          and (only_category is null or only_category = any(s.category_ids))
          and (paying is null or s.retailer_id = any(paying))
        union all
        select s.* from search_offers s where s.tier = 3 and s.document @@ words
          and brand = any(s.brand_ids) and s.starts_at <= moment and (s.ends_at is null or s.ends_at > moment)
          and (gathered_kind is null or s.kind = gathered_kind)
          and (only_category is null or only_category = any(s.category_ids))
          and (paying is null or s.retailer_id = any(paying))
        ) by_tier
        limit max_counted + 1
      ), by_kind as materialized (
        select h.kind, count(*)::integer as n from hits h group by h.kind
      ), counted as materialized (
        select coalesce(sum(b.n), 0)::integer as gathered,
          coalesce(sum(b.n) filter (where only_kind is null or b.kind = only_kind), 0)::integer as n,
          jsonb_object_agg(b.kind, b.n) filter (where b.kind is not null) as kinds
        from by_kind b
      ), page as (
        select h.offer_id, h.document, (row_number() over (order by
          case when sort = 'relevance' then h.retailer_id in (select e.retailer_id from exact e) end desc nulls last,
          case sort
            -- The logarithm of popularity decides between similar matches, not between good and bad ones.
            when 'relevance' then
              ts_rank('{0.05, 0.2, 0.6, 1}', h.document, words) * (1 + 0.25 * ln(1 + greatest(h.popularity, 0)))
            when 'newest' then extract(epoch from h.starts_at)
            when 'ending' then -extract(epoch from h.ends_at)
            else h.popularity
          end desc nulls last, h.offer_id))::integer as nth
        from hits h where (select c.gathered from counted c) <= max_counted
          and (only_kind is null or h.kind = only_kind)
        order by nth limit take offset skip
      )
      select case when counted.gathered > max_counted then counted.gathered else counted.n end, page.offer_id, page.nth,
        case when page.nth = skip + 1 then tsvector_to_array(page.document) end,
        case when gathered_kind is null and (page.nth = skip + 1 or page.nth is null) then counted.kinds end
      from counted left join page on true order by page.nth
    loop
      exit when total > max_counted;
      return next;
    end loop;
    exit when total <= max_counted or only_kind is null or gathered_kind is not null;
    gathered_kind := only_kind;
  end loop;
  if total > max_counted then
    return query select max_counted + 1, s.*, null::jsonb
    from search_offers_narrowed_scan(brand, moment, typed, words, sort, only_kind, only_category, paying, skip, take) s;
  end if;
end $$;
