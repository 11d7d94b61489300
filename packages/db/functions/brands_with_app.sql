-- Returns the brands whose members can use an offer that only an app has (O5, B3): they take part in such offers, and
-- there is a store to get the app from. hasApp (packages/core/brands/brand.ts) is the same rule. The planner inlines
-- this function.
create or replace function brands_with_app() returns setof brands language sql stable parallel safe as $$
  select b.* from brands b
  where b.features->>'appExclusive' = 'true'
    and coalesce(nullif(b.store_links->>'ios', ''), nullif(b.store_links->>'android', '')) is not null
$$;
