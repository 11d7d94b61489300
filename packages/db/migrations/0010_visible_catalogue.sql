-- What a brand's visitors may see, said once (product.md B4). Both functions are plain enough for the planner to inline, so a
-- query that filters or sorts them uses the tables' own indexes.

create function visible_retailers(brand uuid) returns setof retailers language sql stable parallel safe as $$
  select r.* from retailers r
  join brand_retailers br on br.retailer_id = r.id and br.brand_id = brand
  where r.status = 'active'
$$;

-- Live at a moment, of a visible retailer, and not reserved for other brands.
create function live_offers(brand uuid, moment timestamptz) returns setof offers language sql stable parallel safe as $$
  select o.* from offers o
  join retailers r on r.id = o.retailer_id and r.status = 'active'
  join brand_retailers br on br.retailer_id = o.retailer_id and br.brand_id = brand
  where o.status = 'live' and o.starts_at <= moment and (o.ends_at is null or o.ends_at > moment)
    and (not exists (select from offer_brands reserved where reserved.offer_id = o.id)
         or exists (select from offer_brands ours where ours.offer_id = o.id and ours.brand_id = brand))
$$;

create index offers_latest on offers (starts_at desc) where status = 'live';
create index retailers_popularity on retailers (popularity desc) where status = 'active';

-- A member has at most one code of an offer or variant (O4), whatever races.
create unique index offer_codes_one_per_member on offer_codes (offer_id, coalesce(variant_id, offer_id), member_id) where member_id is not null;
