--!include search_fold.sql
-- Splits a query into at most `max_words` words, as documents are split, and reads each from search_words (D2): its
-- lexemes, whether one of them is known and in how many documents, which words begin with the last word, which may be one slip away, as they are
-- written or in the singular, and which long words resemble it by trigrams; each with whether it is common at the brand. `wide` reads neighbours of known words too, and `complete_known` what begins
-- with the last word even if it is a whole word. `with_pairs` adds, after the words and as `is_pair`, what two neighbouring words make if they are
-- written as one ("take away"), where that is known or, at the end, begins a known word. The plans are generic and kept, as in search_offers_matching:
-- planning these statements takes longer than executing them.
create or replace function search_words_of_query(brand uuid, typed text, wide boolean, complete_known boolean, with_pairs boolean, max_words integer,
  max_completions integer, max_candidates integer)
returns table (word text, lexemes text[], is_known boolean, is_common boolean, occurrences integer, completions json, neighbours json, resembling json,
  is_pair boolean)
language plpgsql stable parallel safe rows 4 set plan_cache_mode = force_generic_plan as $$
declare
  folded constant text := search_fold(typed);
begin
  return query
  with split as materialized (
    select left(part.word, 40) as word, part.place, tsvector_to_array(to_tsvector('farthing', left(part.word, 40))) as lexemes
    from unnest(string_to_array(folded, ' ')) with ordinality as part (word, place)
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
        where w.word % k.word order by similarity(w.word, k.word) desc, w.word limit 8) near) end,
    false
  from known k order by k.place;

  if not with_pairs or folded not like '% %' then
    return;
  end if;
  return query
  with pair as materialized (
    select left(part.word || part.next, 40) as word, part.place, part.place = max(part.place) over () as is_last from (
      select left(split.word, 40) as word, left(lead(split.word) over (order by split.place), 40) as next, split.place
      from unnest(string_to_array(folded, ' ')) with ordinality as split (word, place) order by split.place limit max_words) part
    where part.next is not null
  ), read as materialized (
    select p.word, p.place, p.is_last, tsvector_to_array(to_tsvector('farthing', p.word)) as lexemes from pair p
  ), known as materialized (
    select r.word, r.place, r.is_last, found.lexeme is not null as is_known, coalesce(brand = any(found.brand_ids), false) as is_common,
      coalesce(found.occurrences, 0) as occurrences,
      case when found.lexeme is null or found.lexeme = any(r.lexemes) then r.lexemes else array[found.lexeme] end as lexemes
    from read r left join lateral (
      select w.lexeme, w.common_brand_ids as brand_ids, w.occurrences from search_words w
      where w.lexeme = any(r.lexemes) or w.word = r.word
      order by w.lexeme = any(r.lexemes) desc, w.occurrences desc limit 1) found on true
  ), completed as materialized (
    select k.*, case when k.is_last and (not k.is_known or complete_known) then
      (select json_agg(near) from (
        select w.word, w.lexeme, w.occurrences, brand = any(w.common_brand_ids) as "isCommon" from search_words w
        where w.word ~>=~ k.word and w.word ~<~ (k.word || chr(1114111))
        order by w.occurrences desc, w.word limit max_completions) near) end as completions
    from known k
  )
  select c.word, c.lexemes, c.is_known, c.is_common, c.occurrences, c.completions, null::json, null::json, true
  from completed c where c.is_known or c.completions is not null order by c.place;
end $$;
