-- A row that names a merged retailer goes to the one that took its place (A2), also where it was written while the two were merged:
-- the lock waits for the merge and reads what it left.
create or replace function follow_merged_retailer() returns trigger language plpgsql as $$
declare
  place uuid;
begin
  if new.retailer_id is null then
    return new;
  end if;
  select merged_into_id into place from retailers where id = new.retailer_id for key share;
  if place is not null then
    new.retailer_id := place;
  end if;
  return new;
end $$;
