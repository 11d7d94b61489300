-- Notes a change of cashback that its member has not been written to about yet (M9).
create or replace function notice_cashback_change() returns trigger language plpgsql as $$
begin
  insert into cashback_notices (entry_id, version, member_id)
  select new.entry_id, new.version, entry.member_id from cashback_entries entry where entry.id = new.entry_id;
  return null;
end $$;
