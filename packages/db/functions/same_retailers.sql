-- Returns the ids of all records of a retailer's shop (A2): the one that stays, and those that were merged into it. What happened before
-- a merge keeps the record that it happened at.
create or replace function same_retailers(retailer uuid) returns setof uuid language sql stable parallel safe rows 2 as $$
  with place as (select coalesce(r.merged_into_id, r.id) as id from retailers r where r.id = retailer)
  select place.id from place
  union all
  select merged.id from retailers merged join place on place.id = merged.merged_into_id
$$;
