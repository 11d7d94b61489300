-- Members who leave (product.md M5): their money goes out first, their data after it. docs/operations/privacy.md says what stays, how long and why.

-- What a member who has left gave up, or what came in for them afterwards.
alter table ledger_accounts drop constraint ledger_accounts_account_kind_check;
alter table ledger_accounts add constraint ledger_accounts_account_kind_check check (account_kind in (
  'member_tracked', 'member_confirmed', 'member_payable', 'member_paid',
  'network_expected', 'network_approved', 'network_received',
  'club_expected', 'club_approved', 'club_earned', 'club_given_up',
  'card_received', 'payment_held'));

alter table members add column closed_at timestamptz;

create table closures (
  id               uuid primary key,
  public_id        text not null unique default random_public_id(),
  brand_id         uuid not null,
  member_id        uuid not null,
  state            text not null check (state in ('requested', 'awaiting_payout', 'closed', 'cancelled')),
  version          integer not null default 1 check (version >= 1),
  pending_choice   text not null check (pending_choice in ('wait', 'give-up')),
  payable_choice   text not null check (payable_choice in ('pay-out', 'give-up')),
  -- As the member saw it when they chose.
  pending_pence    bigint not null check (pending_pence >= 0),
  payable_pence    bigint not null,
  -- Name, sort code and account number, encrypted with a key that the database does not have; wiped when the payment can't come back any more.
  payee            text,
  requested_at     timestamptz not null,
  cancellable_until timestamptz not null,
  due_at           timestamptz,
  paid_pence       bigint check (paid_pence > 0),
  paid_at          timestamptz,
  paid_by          text check (length(paid_by) between 1 and 100),
  given_up_pence   bigint not null default 0 check (given_up_pence >= 0),
  cancelled_at     timestamptz,
  closed_at        timestamptz,
  erased_at        timestamptz,
  constraint closures_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id),
  check ((state = 'cancelled') = (cancelled_at is not null)),
  check ((state = 'closed') = (closed_at is not null)),
  check (state <> 'awaiting_payout' or due_at is not null),
  check ((paid_at is null) = (paid_pence is null)),
  check ((paid_at is null) = (paid_by is null)),
  check (erased_at is null or state = 'closed')
);
create unique index closures_open on closures (member_id) where state <> 'cancelled';
create index closures_state on closures (state, requested_at) where state in ('requested', 'awaiting_payout');
create index closures_unerased on closures (closed_at) where state = 'closed' and erased_at is null;
create index closures_payee on closures (paid_at) where payee is not null;

-- The lifecycle, the same pairs as in core/closures/rules.ts.
create function check_closure_change() returns trigger language plpgsql as $$
begin
  if old.state <> new.state and (old.state, new.state) not in (
    ('requested', 'awaiting_payout'), ('requested', 'closed'), ('requested', 'cancelled'), ('awaiting_payout', 'closed')) then
    raise exception 'a closure cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if new.version <> old.version + 1 then
    raise exception 'closure % changes by one version at a time', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger closures_lifecycle before update on closures for each row execute function check_closure_change();
create trigger closures_kept before delete on closures for each row execute function refuse_change();
