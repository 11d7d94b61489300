-- What each act of recovery ends (decision 020), and what it takes to know that.

-- Marks of known browsers are signed for a generation. One more generation, and every mark is a strange one.
alter table members add column device_generation integer not null default 0 check (device_generation >= 0);

-- Since when an address has been one that was the main one; null: never. Such an address may take the account back from a later one; one that was only added may not.
alter table member_emails add column main_since timestamptz;
update member_emails known set main_since = known.created_at
from members member where member.id = known.member_id and member.email = known.email;

create or replace function keep_main_email() returns trigger language plpgsql as $$
begin
  -- Of another member: member_emails_email refuses it.
  if exists (select 1 from member_emails known where known.brand_id = new.brand_id and known.email = new.email and known.member_id = new.id) then
    update member_emails set
      verified_at = case when new.email_verified then coalesce(verified_at, now()) else verified_at end,
      main_since = coalesce(main_since, now())
    where brand_id = new.brand_id and email = new.email and (main_since is null or (new.email_verified and verified_at is null));
  else
    insert into member_emails (id, brand_id, member_id, email, verified_at, main_since)
    values (gen_random_uuid(), new.brand_id, new.id, new.email, case when new.email_verified then now() end, now());
  end if;
  return null;
end $$;

-- Whatever two windows do at once: the main address of an open account is never deleted, as its owner could not sign in any more.
create function refuse_deleting_main_email() returns trigger language plpgsql as $$
begin
  perform 1 from members where id = old.member_id and email = old.email and closed_at is null for key share;
  if found then
    raise exception 'the main e-mail address of member % cannot be deleted', old.member_id using errcode = 'check_violation';
  end if;
  return old;
end $$;
create trigger member_emails_main_kept before delete on member_emails for each row execute function refuse_deleting_main_email();

alter table member_tokens
  -- The browser that a link was asked for in, as a hash of what only this browser has: there a new member's password is known to be theirs.
  add column browser_hash text,
  -- Of the way back from a change of addresses: what the address had in main_since, which goes with its row when it is removed.
  add column main_since timestamptz;

-- A secret that a page shows before two-step sign-in is on is for the session that sees it and no other.
alter table member_second_factors add column shown_to uuid;

-- Takes back a try that count_login_try counted and nobody looked at, and the wait that it brought about.
create function take_back_login_tries(wanted text[]) returns void language sql as $$
  update login_tries set tries = greatest(tries - 1, 0), waits_until = null
  where key in (select key from login_tries where key = any (wanted) order by key for update);
$$;
