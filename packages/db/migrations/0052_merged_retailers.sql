-- Duplicates of retailers (A2): one record is merged into another, and stays for the history that names it.

--!include follow_merged_retailer.sql
--!include check_merged_retailer.sql

alter table retailers
  -- The record that took this one's place. It was never merged itself, so that one step leads to the end of a chain.
  add column merged_into_id uuid references retailers (id),
  add column merged_at timestamptz,
  add constraint retailers_merged check (
    (merged_into_id is null) = (merged_at is null)
    and (merged_into_id is null or (merged_into_id <> id and status = 'closed')));
create index retailers_merged_into on retailers (merged_into_id) where merged_into_id is not null;
create trigger retailers_merged_kept before update on retailers
  for each row when (old.merged_into_id is not null or new.merged_into_id is not null) execute function check_merged_retailer();

-- How many claims a merge concerns, without reading all.
create index claims_retailer on claims (retailer_id, state);

-- Clicks, cashback and claims keep the retailer that they happened at; everything else is of the one that stays.
create trigger retailer_categories_follow before insert or update of retailer_id on retailer_categories
  for each row execute function follow_merged_retailer();
create trigger brand_retailers_follow before insert or update of retailer_id on brand_retailers
  for each row execute function follow_merged_retailer();
create trigger programmes_follow before insert or update of retailer_id on programmes
  for each row execute function follow_merged_retailer();
create trigger offers_follow before insert or update of retailer_id on offers
  for each row execute function follow_merged_retailer();
create trigger favourite_retailers_follow before insert or update of retailer_id on favourite_retailers
  for each row execute function follow_merged_retailer();
create trigger rate_alerts_follow before insert or update of retailer_id on rate_alerts
  for each row execute function follow_merged_retailer();
create trigger claim_rules_follow before insert or update of retailer_id on claim_rules
  for each row execute function follow_merged_retailer();
create trigger retailer_scorecards_follow before insert or update of retailer_id on retailer_scorecards
  for each row execute function follow_merged_retailer();
create trigger gift_card_products_follow before insert or update of retailer_id on gift_card_products
  for each row execute function follow_merged_retailer();
