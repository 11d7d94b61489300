-- Search (product.md D2): one narrow row per offer, retailer and category with everything that can be searched for, written by
-- indexCatalogue (packages/core/search) after each import. Pages read the words here and the truth in the catalogue itself.

-- One configuration on both sides: English stems, accents ignored.
create text search configuration farthing (copy = english);
alter text search configuration farthing alter mapping for hword, hword_part, word with unaccent, english_stem;

-- Text as it is indexed and as it is asked for: lower case, no accents, apostrophes closed up (men's = mens, O'Hara = ohara),
-- everything else that is not a letter or digit a space. What comes out holds nothing but words, whatever went in.
create function search_fold(input text) returns text language sql stable strict parallel safe as $$
  select btrim(regexp_replace(regexp_replace(lower(unaccent('unaccent', input)), '[''’‘`]', '', 'g'), '[^[:alnum:]]+', ' ', 'g'))
$$;

-- A word with each of its letters left out, and itself: two words are one slip apart (a letter missing, added, changed, or two
-- swapped) only if these sets meet. So a typo is found by index lookups, exactly, also in short words that share few trigrams.
create function search_slips(word text) returns text[] language sql immutable strict parallel safe as $$
  select array_agg(distinct slip) from (
    select word as slip
    union all
    select left(word, place - 1) || substr(word, place + 1) from generate_series(1, length(word)) as place
  ) as slips
$$;

create table search_offers (
  offer_id    uuid primary key references offers (id) on delete cascade,
  retailer_id uuid not null,
  document    tsvector not null,                 -- weights: A title and headline, B retailer, C categories, D description
  brand_ids   uuid[] not null,                   -- the brands that show it
  starts_at   timestamptz not null,
  ends_at     timestamptz,
  popularity  integer not null,                  -- the offer's and its retailer's together
  source_hash text not null                      -- of the words; the same hash is not parsed again
);
create index search_offers_document on search_offers using gin (document) with (fastupdate = off);
create index search_offers_popularity on search_offers (popularity desc, offer_id);
create index search_offers_latest on search_offers (starts_at desc, offer_id);
create index search_offers_ending on search_offers (ends_at, offer_id);
create index search_offers_retailer on search_offers (retailer_id, popularity desc);

create table search_retailers (
  retailer_id uuid primary key references retailers (id) on delete cascade,
  name_folded text not null,
  document    tsvector not null,                 -- weights: A name, C categories, D short info
  brand_ids   uuid[] not null,
  popularity  integer not null,
  source_hash text not null
);
create index search_retailers_document on search_retailers using gin (document) with (fastupdate = off);
create index search_retailers_name on search_retailers (name_folded text_pattern_ops);
create index search_retailers_trigrams on search_retailers using gist (name_folded gist_trgm_ops (siglen = 64));

create table search_categories (
  category_id uuid primary key references categories (id) on delete cascade,
  name_folded text not null,
  document    tsvector not null
);

-- Every word that can be found, as it is written, with the lexeme it is indexed under.
create table search_words (
  word        text primary key check (length(word) <= 40),
  lexeme      text not null,
  occurrences integer not null,
  slips       text[] not null
);
create index search_words_lexeme on search_words (lexeme);
create index search_words_prefix on search_words (word text_pattern_ops);
create index search_words_slips on search_words using gin (slips) with (fastupdate = off);
create index search_words_trigrams on search_words using gist (word gist_trgm_ops (siglen = 64));

-- Live offers per brand and category, for lists of categories; as of the last indexing.
create table category_counts (
  brand_id    uuid not null references brands (id) on delete cascade,
  category_id uuid not null references categories (id) on delete cascade,
  live_offers integer not null,
  primary key (brand_id, category_id)
);
