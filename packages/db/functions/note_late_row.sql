-- Notes the hours that a late row belongs to: what was counted of them may be wrong now. A row is added, never changed, so that
-- writers never wait for each other.
create or replace function note_late_row() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'cashback_changes' then
    insert into report_late_hours (hour) values (date_bin('1 hour', new.changed_at, timestamptz 'epoch'));
    return null;
  end if;
  if tg_op <> 'DELETE' then
    insert into report_late_hours (hour) values (date_bin('1 hour', new.created_at, timestamptz 'epoch'));
  end if;
  if tg_op <> 'INSERT' then
    insert into report_late_hours (hour) values (date_bin('1 hour', old.created_at, timestamptz 'epoch'));
  end if;
  return null;
end $$;
