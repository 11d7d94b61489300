-- Returns the singular of a word that is written as an English plural, or null for any other word (D2): members type one
-- "laptop" where shops write "laptops". A word that is no plural may get one too ("atlas"); it is compared with typos
-- and never shown.
create or replace function search_singular(word text) returns text language sql immutable strict parallel safe as $$
  select case
    when length(word) < 4 or word ~ '(ss|us|is|[0-9]s)$' then null
    when word ~ '..ies$' then left(word, -3) || 'y'
    when word ~ '(ss|x|ch|sh)es$' then left(word, -2)
    when word ~ 's$' then left(word, -1)
  end
$$;
