-- Refuses to delete the main address of an open account, whatever two windows do at the same time: its owner could not
-- sign in any more.
create or replace function refuse_deleting_main_email() returns trigger language plpgsql as $$
begin
  perform 1 from members where id = old.member_id and email = old.email and closed_at is null for key share;
  if found then
    raise exception 'the main e-mail address of member % cannot be deleted', old.member_id
      using errcode = 'check_violation';
  end if;
  return old;
end $$;
