-- Only the club's own pages open frames for members (G1): in a partner's frame the visitor is unknown, whatever its
-- server sends.
create or replace function check_member_visit() returns trigger language plpgsql as $$
begin
  if not exists (select from partners where id = new.partner_id and is_house) then
    raise exception 'partner % is not the club itself, so its visitors are not members', new.partner_id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
