-- Search (D2): one narrow row per offer, retailer and category with everything that can be searched for, written by
-- indexCatalogue after each import. Search reads the words here and the facts in the catalogue. The queries are the
-- functions search_*.

-- One configuration for the index and for queries: English stems, accents ignored.
create text search configuration farthing (copy = english);
alter text search configuration farthing alter mapping for hword, hword_part, word with unaccent, english_stem;

create table search_offers (
  offer_id     uuid primary key references offers (id) on delete cascade,
  retailer_id  uuid not null,
  -- Weights: A title and headline, B retailer, C categories, D description.
  document     tsvector not null,
  brand_ids    uuid[] not null,                            -- the brands that show it
  -- What a search can be narrowed by (D4, D5) is copied here, so that no other table is read for every match.
  kind         text not null,
  category_ids uuid[] not null,
  starts_at    timestamptz not null,
  ends_at      timestamptz,
  popularity   integer not null,                           -- the offer's plus its retailer's
  source_hash  text not null                               -- of the words; a document is rebuilt only when it changes
);
create index search_offers_document on search_offers using gin (document) with (fastupdate = off);
create index search_offers_popularity on search_offers (popularity desc, offer_id);
create index search_offers_latest on search_offers (starts_at desc, offer_id);
create index search_offers_ending on search_offers (ends_at, offer_id);
create index search_offers_retailer on search_offers (retailer_id, popularity desc);

create table search_retailers (
  retailer_id uuid primary key references retailers (id) on delete cascade,
  name_folded text not null,
  document    tsvector not null,                           -- weights: A name, C categories, D short info
  brand_ids   uuid[] not null,
  popularity  integer not null,
  source_hash text not null
);
create index search_retailers_document on search_retailers using gin (document) with (fastupdate = off);
create index search_retailers_name on search_retailers (name_folded text_pattern_ops);
-- GIN, not GiST: search_retailers_named has the figures.
create index search_retailers_trigrams on search_retailers using gin (name_folded gin_trgm_ops) with (fastupdate = off);

create table search_categories (
  category_id uuid primary key references categories (id) on delete cascade,
  name_folded text not null,
  document    tsvector not null
);

-- Every word that can be found, as it is written, with the lexeme that it is indexed under.
create table search_words (
  word        text primary key check (length(word) <= 40),
  lexeme      text not null,
  occurrences integer not null,
  slips       text[] not null
);
create index search_words_lexeme on search_words (lexeme);
create index search_words_prefix on search_words (word text_pattern_ops);
create index search_words_slips on search_words using gin (slips) with (fastupdate = off);
create index search_words_trigrams on search_words using gin (word gin_trgm_ops) with (fastupdate = off);

-- Live offers per brand and category, for lists of categories, as of the last indexing.
create table category_counts (
  brand_id    uuid not null references brands (id) on delete cascade,
  category_id uuid not null references categories (id) on delete cascade,
  live_offers integer not null,
  primary key (brand_id, category_id)
);
