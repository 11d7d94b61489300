-- Signing in, proving it is oneself, and getting back in (product.md M2, S1).

-- The host that a brand's e-mails lead to; without one, the most name-like of its hosts.
alter table brand_hosts add column is_main boolean not null default false;
create unique index brand_hosts_one_main on brand_hosts (brand_id) where is_main;

-- The delay grows with every wrong try; nothing is ever locked. A try made while one has to wait is not counted, so that hammering does not lengthen anyone's wait.
alter table login_tries add column waits_until timestamptz;

-- Counts a try and gives 0, or gives the seconds to wait, and counts nothing. The n-th try after `free` of them is followed by first * 2^n seconds, at most `longest`.
create function count_login_try(wanted text, free integer, window_seconds integer, first_wait integer, longest_wait integer)
returns integer language plpgsql as $$
declare
  at timestamptz;
  counted login_tries;
begin
  loop
    insert into login_tries (key, tries, resets_at) values (wanted, 0, clock_timestamp() + window_seconds * interval '1 second') on conflict do nothing;
    select * into counted from login_tries where key = wanted for update;
    exit when found; -- forgiven in between
  end loop;
  at := clock_timestamp();
  if counted.waits_until > at then
    return greatest(1, ceil(extract(epoch from counted.waits_until - at)));
  end if;
  if counted.resets_at <= at then
    counted.tries := 0;
    counted.resets_at := at + window_seconds * interval '1 second';
  end if;
  counted.tries := counted.tries + 1;
  counted.waits_until := case when counted.tries >= free
    then at + least(longest_wait, first_wait * 2 ^ least(counted.tries - free, 20)) * interval '1 second' end;
  update login_tries set
    tries = counted.tries,
    waits_until = counted.waits_until,
    resets_at = greatest(counted.resets_at, counted.waits_until + window_seconds * interval '1 second')
  where key = wanted;
  return 0;
end $$;

-- When the person last proved who they are in this session: asked for again before sensitive changes.
alter table member_sessions add column authenticated_at timestamptz not null default now();

-- Somebody asked for a new password. Written alike for known and unknown addresses, and looked at by the worker, so that neither answer nor time tells which it was.
create table password_reset_requests (
  id         uuid primary key,
  brand_id   uuid not null references brands (id) on delete cascade,
  email      text not null check (email = lower(email) and length(email) <= 254),
  created_at timestamptz not null
);
create trigger password_reset_requests_told after insert on password_reset_requests for each statement execute function tell_of_mails();

-- The second step of a login whose password was right.
create table login_steps (
  id         uuid primary key,
  token_hash text not null unique,
  brand_id   uuid not null,
  member_id  uuid not null,
  next_path  text not null check (next_path like '/%' and length(next_path) <= 2048),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint login_steps_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index login_steps_member on login_steps (member_id);
create index login_steps_expires on login_steps (expires_at);

-- Codes from an app (TOTP). The secret is encrypted with a key that the database does not have; a step of time that was used once is refused afterwards.
create table member_second_factors (
  member_id  uuid primary key references members (id) on delete cascade,
  secret     text not null,
  enabled_at timestamptz,
  last_step  bigint not null default 0,
  created_at timestamptz not null
);

create table member_recovery_codes (
  id         uuid primary key,
  member_id  uuid not null references members (id) on delete cascade,
  code_hash  text not null,
  used_at    timestamptz,
  created_at timestamptz not null,
  unique (member_id, code_hash)
);

create table member_passkeys (
  id            uuid primary key,
  brand_id      uuid not null,
  member_id     uuid not null,
  credential_id text not null check (length(credential_id) <= 1400),
  public_key    text not null,
  counter       bigint not null default 0 check (counter >= 0),
  transports    text[] not null default '{}',
  name          text not null check (length(name) between 1 and 60),
  created_at    timestamptz not null,
  last_used_at  timestamptz,
  constraint member_passkeys_credential unique (brand_id, credential_id),
  constraint member_passkeys_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index member_passkeys_member on member_passkeys (member_id);

-- Challenges that passkeys have answered: each is answered once. They are signed and carry their own end, so unanswered ones are kept nowhere.
create table spent_challenges (
  challenge_hash text primary key,
  expires_at     timestamptz not null
);
create index spent_challenges_expires on spent_challenges (expires_at);

-- The auth library's, which has no more part in this (decision 013).
drop table member_verifications;
