-- The singular of a word that is written as a plural (D2): a typo is compared with both. Null: no plural, or written by a
-- version that does not know it. Indexing, which follows a start of the new version within a minute, fills it in together with the
-- singular's slips.
alter table search_words add column singular text;
