--!include search_fold.sql
-- Splits a query into at most `max_words` words, as documents are split, and reads each from search_words (D2): its
-- lexemes, whether one of them is known and in how many documents, which words begin with the last word, which may be one slip away, as they are
-- written or in the singular, and which long words resemble it by trigrams; each with whether it is common at the brand. `wide` reads neighbours of known words too, and `complete_known` what begins
-- with the last word even if it is a whole word. The plan is generic and kept, as in search_offers_matching: planning this
-- statement takes longer than executing it.
create or replace function search_query_words(brand uuid, typed text, wide boolean, complete_known boolean, max_words integer,
  max_completions integer, max_candidates integer)
returns table (word text, lexemes text[], is_known boolean, is_common boolean, occurrences integer, completions json, neighbours json, resembling json)
language plpgsql stable parallel safe rows 4 set plan_cache_mode = force_generic_plan as $$
begin
  return query
  with split as materialized (
    select left(part.word, 40) as word, part.place, tsvector_to_array(to_tsvector('farthing', left(part.word, 40))) as lexemes
    from unnest(string_to_array(search_fold(typed), ' ')) with ordinality as part (word, place)
    where part.word <> '' order by part.place limit max_words
  ), known as materialized (
    select s.word, s.place, s.place = max(s.place) over () as is_last, found.lexeme is not null as is_known,
      coalesce(brand = any(found.brand_ids), false) as is_common, coalesce(found.occurrences, 0) as occurrences,
      -- Another word for the same thing has its lexeme.
      case when found.lexeme is null or found.lexeme = any(s.lexemes) then s.lexemes else array[found.lexeme] end
        as lexemes
    from split s left join lateral (
      select w.lexeme, w.common_brand_ids as brand_ids, w.occurrences from search_words w
      where w.lexeme = any(s.lexemes) or w.word = s.word
      order by w.lexeme = any(s.lexemes) desc, w.occurrences desc limit 1) found on true
  )
  select k.word, k.lexemes, k.is_known, k.is_common, k.occurrences,
    case when k.is_last and (not k.is_known or wide or complete_known) then
      (select json_agg(near) from (
        select w.word, w.lexeme, w.occurrences, brand = any(w.common_brand_ids) as "isCommon" from search_words w
        where w.word ~>=~ k.word and w.word ~<~ (k.word || chr(1114111))
        order by w.occurrences desc, w.word limit max_completions) near) end,
    case when not k.is_known or wide then
      (select json_agg(near) from (
        select w.word, w.lexeme, w.singular, w.occurrences, brand = any(w.common_brand_ids) as "isCommon" from search_words w
        -- As search_slips, without the cost of a call.
        where w.slips && (select array_agg(left(k.word, at - 1) || substr(k.word, at + 1)) || k.word
          from generate_series(1, length(k.word)) at)
        order by w.occurrences desc, w.word limit max_candidates) near) end,
    case when not k.is_known and length(k.word) >= 7 then
      (select json_agg(near) from (
        select w.word, w.lexeme, w.singular, w.occurrences, brand = any(w.common_brand_ids) as "isCommon" from search_words w
        where w.word % k.word order by similarity(w.word, k.word) desc, w.word limit 8) near) end
  from known k order by k.place;
end $$;
