--!include search_fold.sql
--!include search_offers_scan.sql
-- Returns one page of the matching offers (D2). Up to `max_counted` matches are gathered and ranked by `sort`; with
-- more, the page has the most popular (or newest, or those that end first) and `total` is `max_counted` + 1. `kinds`
-- counts the matches by kind; it is null where there are more than `max_counted`.
--
-- Matches are gathered tier by tier, the most popular first, and gathering stops at `max_counted` + 1: the work does
-- not grow with the catalogue for common words. Where the tiers that were read to their end fill the page, it comes
-- from these; otherwise search_offers_scan reads it.
--
-- Nothing is counted where a category that is common at the brand has all the words in its name: each of its offers has
-- them too. The page is read as search_offers_scan does, unless too many of the offers have ended since the indexing.
--
-- `rare_words`, where it is given, is the part of `words` that is asked of the index, and the other words are checked on
-- the rows: to intersect the long lists of common words takes longer than to read what few rows the rare ones leave.
--
-- Matches are gathered without their documents, which are read where they are ranked: copying those of 500 matches took
-- as long as finding them.
--
-- The questions of search are functions because planning them took longer than answering them. PL/pgSQL keeps the plan
-- for as long as the connection lives, also behind a transaction pooler, where prepared statements may not survive.
-- The plan is generic on purpose: the right one for rare words (the words' index) is also right for common ones, since
-- each query stops counting early.
create or replace function search_offers_matching(brand uuid, moment timestamptz, typed text, words tsquery, rare_words tsquery,
  sort text, max_counted integer, skip integer, take integer)
returns table (total integer, offer_id uuid, place integer, lexemes text[], kinds jsonb)
language plpgsql stable parallel safe rows 24 set plan_cache_mode = force_generic_plan as $$
declare
  in_index constant tsquery := coalesce(rare_words, words);
  scanned uuid[];
  first_lexemes text[];
begin
  if exists (select from search_categories c
      join category_counts n on n.category_id = c.category_id and n.brand_id = brand and n.is_common
      where c.document @@ words) then
    select array_agg(s.offer_id order by s.place), max(s.lexemes) into scanned, first_lexemes
      from search_offers_scan(brand, moment, typed, words, sort, skip, take) s;
    if cardinality(scanned) = take then
      return query select max_counted + 1, s.id, s.nth::integer, case when s.nth = 1 then first_lexemes end, null::jsonb
        from unnest(scanned) with ordinality as s (id, nth);
      return;
    end if;
  end if;
  for total, offer_id, place, lexemes, kinds in
    with exact as materialized (
      select e.retailer_id from search_retailers e
        where sort = 'relevance' and e.name_folded = search_fold(typed) and brand = any(e.brand_ids)
    ), hits as materialized (
      select * from (
        select s.ctid as at, s.offer_id, s.retailer_id, s.kind, s.popularity, s.starts_at, s.ends_at,
          s.tier from search_offers s where s.tier = 0 and s.document @@ in_index and (rare_words is null or ts_match_vq(s.document, words))
          and brand = any(s.brand_ids) and s.starts_at <= moment and (s.ends_at is null or s.ends_at > moment)
        union all
        select s.ctid as at, s.offer_id, s.retailer_id, s.kind, s.popularity, s.starts_at, s.ends_at,
          s.tier from search_offers s where s.tier = 1 and s.document @@ in_index and (rare_words is null or ts_match_vq(s.document, words))
          and brand = any(s.brand_ids) and s.starts_at <= moment and (s.ends_at is null or s.ends_at > moment)
        union all
        select s.ctid as at, s.offer_id, s.retailer_id, s.kind, s.popularity, s.starts_at, s.ends_at,
          s.tier from search_offers s where s.tier = 2 and s.document @@ in_index and (rare_words is null or ts_match_vq(s.document, words))
          and brand = any(s.brand_ids) and s.starts_at <= moment and (s.ends_at is null or s.ends_at > moment)
        union all
        select s.ctid as at, s.offer_id, s.retailer_id, s.kind, s.popularity, s.starts_at, s.ends_at,
          s.tier from search_offers s where s.tier = 3 and s.document @@ in_index and (rare_words is null or ts_match_vq(s.document, words))
          and brand = any(s.brand_ids) and s.starts_at <= moment and (s.ends_at is null or s.ends_at > moment)
      ) by_tier limit max_counted + 1
    ), by_kind as materialized (
      select h.kind, count(*)::integer as n, max(h.tier) as reached from hits h group by h.kind
    ), counted as materialized (
      select coalesce(sum(b.n), 0)::integer as n, max(b.reached) as reached,
        coalesce(sum(b.n), 0) <= max_counted as is_few,
        jsonb_object_agg(b.kind, b.n) filter (where b.n > 0) as kinds
      from by_kind b
    ), shown as materialized (
      -- Of many matches, those of the tiers that were read to their end, if they fill the page.
      select c.is_few, c.reached, c.is_few or sort in ('relevance', 'popular') and not exists (select from exact)
        and (select count(*) from hits h where h.tier < c.reached) >= skip + take as is_enough
      from counted c
    ), page as (
      select h.offer_id, h.at, (row_number() over (order by
        case when sort = 'relevance' then h.retailer_id in (select e.retailer_id from exact e) end desc nulls last,
        case when not (select is_few from shown) then h.popularity else
          case sort
            -- The logarithm of popularity decides between similar matches, not between good and bad ones.
            when 'relevance' then
              (select ts_rank('{0.05, 0.2, 0.6, 1}', d.document, words) from search_offers d where d.ctid = h.at) * (1 + 0.25 * ln(1 + greatest(h.popularity, 0)))
            when 'newest' then extract(epoch from h.starts_at)
            when 'ending' then -extract(epoch from h.ends_at)
            else h.popularity
          end
        end desc nulls last, h.offer_id))::integer as nth
      from hits h
      where (select is_enough from shown) and ((select is_few from shown) or h.tier < (select reached from shown))
      order by nth limit take offset skip
    )
    select counted.n, page.offer_id, page.nth, case when page.nth = skip + 1 then
        (select tsvector_to_array(d.document) from search_offers d where d.ctid = page.at) end,
      case when page.nth = skip + 1 and counted.n <= max_counted then counted.kinds end
    from counted left join page on true order by page.nth
  loop
    exit when total > max_counted and offer_id is null;
    return next;
  end loop;
  if total > max_counted and offer_id is null then
    return query select max_counted + 1, s.*, null::jsonb
      from search_offers_scan(brand, moment, typed, words, sort, skip, take) s;
  end if;
end $$;
