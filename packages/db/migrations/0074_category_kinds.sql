-- How many live offers of each kind a category has at a brand (D5), as of the last indexing, so that the page of a large category
-- need not count them. Empty until the first indexing.
alter table category_counts add column kinds jsonb not null default '{}';

--!include large_category_page.sql
