--!include search_fold.sql
--!include visible_retailers.sql
-- Returns the retailers that a query means, best first (D2): the exact name; names that begin with it; names that
-- contain the words (already corrected); names that look alike, where `include_alike` is true and none of the former
-- exist; and retailers that sell such things. These have the words in their name and categories, or else in the title of
-- an offer, or else in the text about them: many "answer the phone", and few sell one. The plans are generic and kept, as in search_offers_matching. Of each kind the
-- most popular are read, and the less popular tier only where the first has too few: twice as many as are taken,
-- because some may not be shown any more since the last indexing.
--
-- What is seldom needed is a statement of its own: as a part of the first one that reads nothing, it took a third of the time to be started and ended.
--
-- The operator % finds names that look alike, with its threshold set for this function: finding all of them in the
-- trigram index and sorting them takes 0.2-1.4 ms for 10,000 names. A walk to the nearest names (GiST) took 1.2-3.4
-- ms, and without a threshold it reads the whole index for a text that resembles no name.

-- Loads pg_trgm, so that its setting is known: only a superuser may name an unknown one.
do $$ begin perform similarity('', ''); end $$;

create or replace function search_retailers_named(brand uuid, typed text, words tsquery, name_words tsquery,
  include_alike boolean, take integer)
returns table (retailer_id uuid, score double precision)
language plpgsql stable parallel safe rows 8
  set plan_cache_mode = force_generic_plan set pg_trgm.similarity_threshold = 0.4 as $$
declare
  candidates constant integer := 2 * take;
  max_name_length constant integer := 48; -- a longer text is a sentence about an offer and resembles no name as a whole
  typed_name constant text := search_fold(typed);
  -- The same words in names and categories; words hold no capital letter.
  sold_words constant tsquery := replace(name_words::text, ':A', ':AC')::tsquery;
  -- Suggestions ask for names alone: the same words twice. As text, because tsquery compares without weights.
  is_for_all_words constant boolean := words::text <> name_words::text;
  ids uuid[];
  popularities integer[];
  scores real[];
  more_ids uuid[];
  more_popularities integer[];
  more_scores real[];
begin
  with begun as materialized (
    (select s.retailer_id, s.popularity, 5::real as score from search_retailers s
      where s.name_folded = typed_name and brand = any(s.brand_ids))
    union all
    (select by_tier.retailer_id, by_tier.popularity, 3 from (
        (select s.retailer_id, s.popularity from search_retailers s
         where s.tier = 0 and s.name_folded ~>=~ typed_name and s.name_folded ~<~ (typed_name || chr(1114111))
           and typed_name <> '' and brand = any(s.brand_ids)
         order by s.popularity desc, s.retailer_id limit candidates)
        union all
        (select s.retailer_id, s.popularity from search_retailers s
         where s.tier = 1 and s.name_folded ~>=~ typed_name and s.name_folded ~<~ (typed_name || chr(1114111))
           and typed_name <> '' and brand = any(s.brand_ids)
         order by s.popularity desc, s.retailer_id limit candidates)) by_tier
     limit candidates)
  ), named as materialized (
    select by_tier.retailer_id, by_tier.popularity, 2.5::real as score from (
      (select s.retailer_id, s.popularity from search_retailers s
       where s.tier = 0 and ts_filter(s.document, '{a}') @@ name_words and brand = any(s.brand_ids)
       order by s.popularity desc, s.retailer_id limit candidates)
      union all
      (select s.retailer_id, s.popularity from search_retailers s
       where s.tier = 1 and ts_filter(s.document, '{a}') @@ name_words and brand = any(s.brand_ids)
       order by s.popularity desc, s.retailer_id limit candidates)) by_tier
    limit candidates
  ), selling as materialized (
    select by_tier.retailer_id, by_tier.popularity, 1::real as score from (
      (select s.retailer_id, s.popularity from search_retailers s
       where s.tier = 0 and s.document @@ sold_words and brand = any(s.brand_ids)
       order by s.popularity desc, s.retailer_id limit candidates)
      union all
      (select s.retailer_id, s.popularity from search_retailers s
       where s.tier = 1 and s.document @@ sold_words and brand = any(s.brand_ids)
       order by s.popularity desc, s.retailer_id limit candidates)) by_tier
    where is_for_all_words and (select count(*) from named) < candidates
    limit candidates
  )
  select array_agg(w.retailer_id), array_agg(w.popularity), array_agg(w.score) into ids, popularities, scores
  from (select * from begun union all select * from named union all select * from selling) w;

  if ids is null and is_for_all_words then
    select array_agg(offering.retailer_id), array_agg(offering.popularity), array_agg(1::real) into ids, popularities, scores from (
    select s.retailer_id, s.popularity from (
      select by_tier.retailer_id from (
        select o.retailer_id from search_offers o
          where o.tier = 0 and o.document @@ name_words and brand = any(o.brand_ids)
        union all
        select o.retailer_id from search_offers o
          where o.tier = 1 and o.document @@ name_words and brand = any(o.brand_ids)
        union all
        select o.retailer_id from search_offers o
          where o.tier = 2 and o.document @@ name_words and brand = any(o.brand_ids)
        union all
        select o.retailer_id from search_offers o
          where o.tier = 3 and o.document @@ name_words and brand = any(o.brand_ids)) by_tier
      limit 4 * candidates) offers
    join search_retailers s on s.retailer_id = offers.retailer_id
    group by s.retailer_id, s.popularity order by s.popularity desc, s.retailer_id limit candidates) offering;
  end if;

  if ids is null and is_for_all_words then
    select array_agg(mentioning.retailer_id), array_agg(mentioning.popularity), array_agg(1::real) into ids, popularities, scores from (
    select by_tier.retailer_id, by_tier.popularity from (
      (select s.retailer_id, s.popularity from search_retailers s
       where s.tier = 0 and s.document @@ words and brand = any(s.brand_ids)
       order by s.popularity desc, s.retailer_id limit candidates)
      union all
      (select s.retailer_id, s.popularity from search_retailers s
       where s.tier = 1 and s.document @@ words and brand = any(s.brand_ids)
       order by s.popularity desc, s.retailer_id limit candidates)) by_tier
    limit candidates) mentioning;
  end if;

  if include_alike and length(typed_name) between 3 and max_name_length and (1 < any(scores)) is not true then
    select array_agg(alike.retailer_id), array_agg(alike.popularity), array_agg(alike.score) into more_ids, more_popularities, more_scores from (
      select s.retailer_id, s.popularity, (4 * similarity(s.name_folded, typed_name))::real as score from search_retailers s
      where s.name_folded % typed_name
      order by score desc, s.retailer_id limit candidates) alike;
    ids := ids || more_ids;
    popularities := popularities || more_popularities;
    scores := scores || more_scores;
  end if;

  if ids is null then
    return;
  end if;
  -- In their order first: whether a retailer is shown is then read for as many as are taken, not for every candidate.
  return query
  select c.retailer_id, c.score from (
    select w.retailer_id, bool_or(w.score = 5) as is_exact,
      max(w.score) * (1 + 0.1 * ln(1 + greatest(max(w.popularity), 0))) as score
    from unnest(ids, popularities, scores) w (retailer_id, popularity, score)
    group by w.retailer_id order by 2 desc, 3 desc, 1
  ) c join visible_retailers(brand) v on v.id = c.retailer_id
  order by c.is_exact desc, c.score desc, c.retailer_id limit take;
end $$;
