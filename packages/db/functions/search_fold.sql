-- Folds text for the index and for queries alike (D2): lower case, no accents, no apostrophes (men's = mens, O'Hara =
-- ohara), and a space for everything else that is not a letter or digit. The result holds words only, whatever the
-- input.
create or replace function search_fold(input text) returns text language sql stable strict parallel safe as $$
  select btrim(regexp_replace(
    regexp_replace(lower(unaccent('unaccent', input)), '[''’‘`]', '', 'g'), '[^[:alnum:]]+', ' ', 'g'))
$$;
