-- Returns a word and each variant of it with one letter left out. Two words are one slip apart (a letter missing,
-- added, changed, or two swapped) only if these sets overlap. So index look-ups find every candidate for a typo, also
-- in short words, which share few trigrams.
create or replace function search_slips(word text) returns text[] language sql immutable strict parallel safe as $$
  select array_agg(distinct slip) from (
    select word as slip
    union all
    select left(word, place - 1) || substr(word, place + 1) from generate_series(1, length(word)) as place
  ) as slips
$$;
