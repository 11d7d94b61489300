-- Members who leave (M5): their money is paid out first, then their data is erased. docs/operations/privacy.md says
-- what stays, for how long and why.

--!include check_closure_change.sql
--!include random_public_id.sql
--!include refuse_change.sql

create table closures (
  id               uuid primary key,
  public_id        text not null unique default random_public_id(),
  brand_id         uuid not null,
  member_id        uuid not null,
  state            text not null check (state in ('requested', 'awaiting_payout', 'closed', 'cancelled')),
  version          integer not null default 1 check (version >= 1),
  pending_choice   text not null check (pending_choice in ('wait', 'give-up')),
  payable_choice   text not null check (payable_choice in ('pay-out', 'give-up')),
  -- The amounts that the member saw when choosing.
  pending_pence    bigint not null check (pending_pence >= 0),
  payable_pence    bigint not null,
  -- Name, sort code and account number, encrypted with a key that the database does not have; wiped when the payment
  -- can no longer be returned.
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
create trigger closures_lifecycle before update on closures for each row execute function check_closure_change();
create trigger closures_kept before delete on closures for each row execute function refuse_change();
