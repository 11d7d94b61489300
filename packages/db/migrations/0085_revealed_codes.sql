-- What a reveal showed (product.md O3, O4), so that the member finds the code again on later visits and on other devices, and learns when it was
-- replaced. Null: nobody knows any more; such a reveal shows nothing again.
alter table code_reveals add column code text check (length(code) between 1 and 60);
-- True where the member had been shown this code before. Such a reveal does not count against the limit on how fast one member collects codes.
alter table code_reveals add column is_repeat boolean not null default false;

-- Reveals from before this migration: the code that the member would be shown now, by the same order as a reveal (packages/core/reveals).
update code_reveals shown set code = (
  select k.code from offer_codes k
  where k.offer_id = shown.offer_id and (k.variant_id is null or k.variant_id = shown.variant_id)
    and (k.member_id = shown.member_id or k.code_kind = 'shared')
  order by k.member_id is not null desc, k.variant_id nulls last limit 1);
update code_reveals shown set is_repeat = true
where exists (
  select from code_reveals earlier
  where earlier.member_id = shown.member_id and earlier.offer_id = shown.offer_id and earlier.variant_id is not distinct from shown.variant_id
    and (earlier.revealed_at, earlier.id) < (shown.revealed_at, shown.id));

create index code_reveals_member_offer on code_reveals (member_id, offer_id, revealed_at desc);
-- The last codes that were new to a member: what the limit counts.
create index code_reveals_counted on code_reveals (member_id, revealed_at desc) where not is_repeat;
