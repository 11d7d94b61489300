-- Search reads the most popular offers and retailers first and stops when it has enough (D2), so that a common word
-- costs no more in a large catalogue. The tiers are disjoint by popularity: each document of tier 0 is more popular than
-- any of tier 1. Indexing assigns them (assignTiers in documents.server.ts); until then all are in the last tier, which
-- is right and only slower.
alter table search_offers add column tier smallint not null default 3;
alter table search_retailers add column tier smallint not null default 1;

create index search_offers_document_0 on search_offers using gin (document) with (fastupdate = off) where tier = 0;
create index search_offers_document_1 on search_offers using gin (document) with (fastupdate = off) where tier = 1;
create index search_offers_document_2 on search_offers using gin (document) with (fastupdate = off) where tier = 2;
create index search_offers_document_3 on search_offers using gin (document) with (fastupdate = off) where tier = 3;
create index search_retailers_document_0 on search_retailers using gin (document) with (fastupdate = off) where tier = 0;
create index search_retailers_document_1 on search_retailers using gin (document) with (fastupdate = off) where tier = 1;
create index search_retailers_name_0 on search_retailers (name_folded text_pattern_ops) where tier = 0;

-- Brands that show so many offers with the word that a search for it alone counts no further: as of the last indexing.
alter table search_words add column common_brand_ids uuid[] not null default '{}';

-- Nothing reads these any more: the functions, which the version before shares, name a tier.
drop index search_offers_document;
drop index search_retailers_document;
