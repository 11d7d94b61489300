-- A retailer that was merged stays as it was, because receipts name it, and leads to one that was not merged itself (A2).
create or replace function check_merged_retailer() returns trigger language plpgsql as $$
begin
  if old.merged_into_id is not null
    and to_jsonb(old) - '{merged_into_id,updated_at}'::text[] <> to_jsonb(new) - '{merged_into_id,updated_at}'::text[] then
    raise exception 'retailer % was merged and stays as it was', old.slug using errcode = 'check_violation';
  end if;
  if old.merged_into_id is not null and new.merged_into_id is null then
    raise exception 'the merge of retailer % cannot be undone', old.slug using errcode = 'check_violation';
  end if;
  if new.merged_into_id is distinct from old.merged_into_id
    and exists (select from retailers place where place.id = new.merged_into_id and place.merged_into_id is not null) then
    raise exception 'retailer % cannot be merged into one that was merged', old.slug using errcode = 'check_violation';
  end if;
  return new;
end $$;
