-- Indexes that have the whole order of a list (D1, O7): with ties in popularity, the first of many offers were sorted each time.
create index offers_by_popularity on offers (popularity desc, public_id) where status = 'live';
create index offers_by_start on offers (starts_at desc, public_id) where status = 'live';
create index offers_by_end on offers (ends_at, public_id) where status = 'live' and ends_at is not null;
create index retailers_by_popularity on retailers (popularity desc, slug) where status = 'active';
drop index offers_popularity;
drop index offers_latest;
drop index offers_ends;
