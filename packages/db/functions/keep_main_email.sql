-- Keeps member_emails in step with members.email, the main address.
create or replace function keep_main_email() returns trigger language plpgsql as $$
begin
  -- An address of another member is refused by the constraint member_emails_email.
  if exists (select 1 from member_emails known
    where known.brand_id = new.brand_id and known.email = new.email and known.member_id = new.id) then
    update member_emails set
      verified_at = case when new.email_verified then coalesce(verified_at, now()) else verified_at end,
      main_since = coalesce(main_since, now())
    where brand_id = new.brand_id and email = new.email
      and (main_since is null or (new.email_verified and verified_at is null));
  else
    insert into member_emails (id, brand_id, member_id, email, verified_at, main_since)
    values (gen_random_uuid(), new.brand_id, new.id, new.email, case when new.email_verified then now() end, now());
  end if;
  return null;
end $$;
