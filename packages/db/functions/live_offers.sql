--!include brands_with_app.sql
-- Returns the offers that a brand's visitors may see at `moment` (B4): live, of a visible retailer, not reserved for
-- other brands, and not for an app that the brand does not have (O5). The planner inlines this function, so that a query that filters or sorts the result uses the
-- table's own indexes.
create or replace function live_offers(brand uuid, moment timestamptz)
returns setof offers language sql stable parallel safe as $$
  select o.* from offers o
  join retailers r on r.id = o.retailer_id and r.status = 'active'
  join brand_retailers br on br.retailer_id = o.retailer_id and br.brand_id = brand
  where o.status = 'live' and o.starts_at <= moment and (o.ends_at is null or o.ends_at > moment)
    and (not exists (select from offer_brands reserved where reserved.offer_id = o.id)
         or exists (select from offer_brands ours where ours.offer_id = o.id and ours.brand_id = brand))
    and (o.kind <> 'app_exclusive' or exists (select from brands_with_app() b where b.id = brand))
$$;
