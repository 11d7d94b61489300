-- What the admin needs to keep the catalogue (A2): the club's own offers, fields that operators have set, and the orders of lists.

--!include tell_of_site_content.sql

-- An offer without a network is the club's own; its network_offer_id is then the club's reference.
alter table offers
  alter column network_id drop not null,
  -- What an operator has set: imports leave these fields as they are.
  add column kept text[] not null default '{}';
create unique index offers_of_club on offers (network_offer_id) where network_id is null;

-- A hidden category is left out of lists, the search and the sitemap; its page stays for links that lead to it.
alter table categories add column is_hidden boolean not null default false;

-- Orders and searches of the admin's lists.
create index offers_changed on offers (updated_at, id);
create index offers_title on offers (lower(title), id);
create index offers_ending on offers ((coalesce(ends_at, 'infinity'::timestamptz)), id);
create index offers_of_retailer on offers (retailer_id, updated_at, id);
create index offers_number on offers (network_offer_id);
create index offers_title_trigrams on offers using gin (lower(title) gin_trgm_ops);
create index retailers_listed on retailers (lower(name), id);
create index retailers_name_trigrams on retailers using gin (lower(name) gin_trgm_ops);

-- Pages of the catalogue are kept for a minute: a change drops them at once, in every process. Codes are not here, because each
-- reveal would.
create trigger offers_told after insert or update or delete on offers for each statement execute function tell_of_site_content();
create trigger offer_categories_told after insert or update or delete on offer_categories for each statement execute function tell_of_site_content();
create trigger offer_variants_told after insert or update or delete on offer_variants for each statement execute function tell_of_site_content();
create trigger offer_brands_told after insert or update or delete on offer_brands for each statement execute function tell_of_site_content();
create trigger retailers_told after insert or update or delete on retailers for each statement execute function tell_of_site_content();
create trigger retailer_categories_told after insert or update or delete on retailer_categories for each statement execute function tell_of_site_content();
create trigger brand_retailers_told after insert or update or delete on brand_retailers for each statement execute function tell_of_site_content();
create trigger categories_told after insert or update or delete on categories for each statement execute function tell_of_site_content();
create trigger programmes_told after insert or update or delete on programmes for each statement execute function tell_of_site_content();
create trigger rate_tiers_told after insert or update or delete on rate_tiers for each statement execute function tell_of_site_content();
create trigger boosts_told after insert or update or delete on boosts for each statement execute function tell_of_site_content();
