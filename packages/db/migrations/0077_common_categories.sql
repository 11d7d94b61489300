-- Whether the brand shows so many offers in the category that a search for its name counts no further: as of the last
-- indexing (markCommonCategories in index-catalogue.server.ts).
alter table category_counts add column is_common boolean not null default false;

-- The words of retailers' names alone. The index of all their words does not know where a word stands, so every retailer
-- that sells such things was read to see whether its name has it.
create index search_retailers_named_0 on search_retailers using gin (ts_filter(document, '{a}')) with (fastupdate = off) where tier = 0;
create index search_retailers_named_1 on search_retailers using gin (ts_filter(document, '{a}')) with (fastupdate = off) where tier = 1;
