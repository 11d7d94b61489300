-- Returns the retailers that a brand's visitors may see (B4). The planner inlines this function, so that a query that
-- filters or sorts the result uses the table's own indexes.
create or replace function visible_retailers(brand uuid) returns setof retailers language sql stable parallel safe as $$
  select r.* from retailers r
  join brand_retailers br on br.retailer_id = r.id and br.brand_id = brand
  where r.status = 'active'
$$;
