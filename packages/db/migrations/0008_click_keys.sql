-- A click is checked against its member and its programme: brand, retailer and network follow from those two. Nothing reads clicks by
-- retailer yet. Both cost every group commit more than they gave (bench/clicks).
alter table clicks
  drop constraint clicks_brand_id_fkey,
  drop constraint clicks_retailer_id_fkey,
  drop constraint clicks_network_id_fkey;
drop index clicks_retailer;
