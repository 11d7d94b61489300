-- Referral and welcome bonus (C8): the rules of each brand, invitations, the bonuses that they bring, and holds.
-- docs/referrals.md explains the states.

--!include check_bonus_change.sql
--!include check_referral_programme_change.sql
--!include random_public_id.sql
--!include refuse_change.sql
--!include wake_referrals_of_cashback.sql
--!include wake_referrals_of_member.sql

-- The rules that a brand promised: fixed but for their end. Each referral keeps to the programme it began under.
create table referral_programmes (
  id                 uuid primary key,
  public_id          text not null unique default random_public_id(),
  brand_id           uuid not null references brands (id),
  friend_pence       bigint not null check (friend_pence between 0 and 100000),   -- the welcome bonus
  inviter_pence      bigint not null check (inviter_pence between 0 and 100000),
  -- The purchase that qualifies: one with this much cashback, made within so many days of joining.
  min_cashback_pence bigint not null check (min_cashback_pence between 1 and 100000),
  within_days        integer not null check (within_days between 7 and 365),
  -- Bonuses that one inviter can earn within 365 days.
  max_per_year       integer not null check (max_per_year between 1 and 1000),
  starts_at          timestamptz not null,
  ends_at            timestamptz check (ends_at > starts_at),
  made_at            timestamptz not null,
  made_by            text not null check (length(made_by) between 1 and 100),
  ended_by           text check (length(ended_by) between 1 and 100),
  check (friend_pence + inviter_pence > 0),
  unique (id, brand_id)
);
create index referral_programmes_brand on referral_programmes (brand_id, starts_at desc);
create trigger referral_programmes_fixed before update on referral_programmes
  for each row execute function check_referral_programme_change();
create trigger referral_programmes_kept before delete on referral_programmes for each row execute function refuse_change();

-- The code of a member's link; it says nothing about the member.
create table referral_codes (
  member_id        uuid primary key,
  brand_id         uuid not null,
  code             text not null check (code ~ '^[a-hjkmnp-z2-9]{10}$'),
  shows_first_name boolean not null default false,
  made_at          timestamptz not null,
  unique (brand_id, code),
  constraint referral_codes_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);

-- Keyed hashes that tell whether two members have something in common. Only who invites or is invited has any.
create table member_marks (
  member_id uuid not null,
  brand_id  uuid not null,
  mark_kind text not null check (mark_kind in ('browser', 'mailbox', 'postal')),
  mark      bytea not null check (length(mark) = 32),
  seen_at   timestamptz not null,
  primary key (member_id, mark_kind, mark),
  constraint member_marks_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index member_marks_mark on member_marks (brand_id, mark_kind, mark);

-- Who invited the person, until the account is there; the mark is of their browser.
alter table registration_drafts
  add column inviter_id uuid references members (id) on delete set null,
  add column referral_programme_id uuid references referral_programmes (id),
  add column browser_mark bytea check (length(browser_mark) = 32);

create table referrals (
  id            uuid primary key,
  public_id     text not null unique default random_public_id(),
  brand_id      uuid not null,
  programme_id  uuid not null,
  inviter_id    uuid not null,
  member_id     uuid not null unique,                    -- the friend: invited once
  registered_at timestamptz not null,
  -- The end of the last day, in London, of a purchase that qualifies.
  qualify_until timestamptz not null check (qualify_until > registered_at),
  -- When the inviter was told; null while the friend has not confirmed their address.
  announced_at  timestamptz,
  reminded_at   timestamptz,
  check (inviter_id <> member_id),
  constraint referrals_programme_of_brand foreign key (programme_id, brand_id) references referral_programmes (id, brand_id),
  constraint referrals_inviter_of_brand foreign key (inviter_id, brand_id) references members (id, brand_id),
  constraint referrals_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id)
);
create index referrals_inviter on referrals (inviter_id, registered_at desc);
create trigger referrals_kept before delete on referrals for each row execute function refuse_change();

-- One bonus for each side of a referral.
create table bonuses (
  id           uuid primary key,
  brand_id     uuid not null,
  referral_id  uuid not null references referrals (id),
  member_id    uuid not null,
  side         text not null check (side in ('friend', 'inviter')),
  amount_pence bigint not null check (amount_pence > 0),
  state        text not null check (state in ('invited', 'qualifying', 'held', 'confirmed', 'payable', 'reversed', 'expired', 'ended')),
  version      integer not null default 1 check (version >= 1),
  end_reason   text check (end_reason in ('refused', 'capped', 'left')),
  -- When it was first confirmed: the cap counts from here.
  earned_at    timestamptz,
  payable_at   timestamptz,
  changed_at   timestamptz not null,
  unique (referral_id, side),
  check ((state = 'ended') = (end_reason is not null)),
  check (state not in ('confirmed', 'payable') or earned_at is not null),
  check (state <> 'payable' or payable_at is not null),
  constraint bonuses_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id)
);
create index bonuses_member on bonuses (member_id, changed_at desc);
create trigger bonuses_lifecycle before update on bonuses for each row execute function check_bonus_change();
create trigger bonuses_kept before delete on bonuses for each row execute function refuse_change();

-- Referrals that an operator has to look at, and what became of that.
create table referral_holds (
  id          uuid primary key,
  public_id   text not null unique default random_public_id(),
  referral_id uuid not null references referrals (id),
  reasons     text[] not null check (cardinality(reasons) > 0 and reasons <@ array['same_device', 'same_bank_details', 'same_address', 'operator']),
  placed_at   timestamptz not null,
  placed_by   text not null check (length(placed_by) between 1 and 100),  -- 'rules', or an operator
  decision    text check (decision in ('lifted', 'refused')),
  decided_at  timestamptz,
  decided_by  text check (length(decided_by) between 1 and 100),
  note        text check (length(note) between 3 and 500),
  check ((decision is null) = (decided_at is null)),
  check ((decision is null) = (decided_by is null)),
  check ((decision is null) = (note is null))
);
create unique index referral_holds_open on referral_holds (referral_id) where decision is null;
create index referral_holds_referral on referral_holds (referral_id);
create trigger referral_holds_kept before delete on referral_holds for each row execute function refuse_change();

-- Referrals that are to be looked at, and when: a queue of due work (decision 029).
create table referral_watches (
  referral_id  uuid primary key references referrals (id),
  next_look_at timestamptz not null,
  attempts     integer not null default 0 check (attempts >= 0),
  last_error   text
);
create index referral_watches_due on referral_watches (next_look_at);

create trigger cashback_changes_wake_referrals after insert on cashback_changes
  referencing new table as changed for each statement execute function wake_referrals_of_cashback();
create trigger members_wake_referrals
  after update of email_verified, verification, closed_at on members for each row
  when ((old.email_verified, old.verification, old.closed_at) is distinct from (new.email_verified, new.verification, new.closed_at))
  execute function wake_referrals_of_member();
