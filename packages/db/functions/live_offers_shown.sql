--!include brands_with_app.sql
-- Returns the offers that are live at `moment`, not reserved for other brands and not for an app that the brand does
-- not have, of whatever retailer: for the offers of a retailer that is known to be visible, where live_offers would read the retailer again for each. The planner
-- inlines this function.
create or replace function live_offers_shown(brand uuid, moment timestamptz)
returns setof offers language sql stable parallel safe as $$
  select o.* from offers o
  where o.status = 'live' and o.starts_at <= moment and (o.ends_at is null or o.ends_at > moment)
    and (not exists (select from offer_brands reserved where reserved.offer_id = o.id)
         or exists (select from offer_brands ours where ours.offer_id = o.id and ours.brand_id = brand))
    and (o.kind <> 'app_exclusive' or exists (select from brands_with_app() b where b.id = brand))
$$;
