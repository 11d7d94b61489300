-- Goodwill (C7): what an operator credits to a member, with a reason, within limits, and may take back.

--!include check_claim_change.sql
--!include check_goodwill_change.sql
--!include random_public_id.sql
--!include refuse_change.sql

-- 'club_goodwill': minus what goodwill has cost the club.
alter table ledger_accounts drop constraint ledger_accounts_account_kind_check;
alter table ledger_accounts add constraint ledger_accounts_account_kind_check check (account_kind in (
  'member_tracked', 'member_confirmed', 'member_payable', 'member_in_transit', 'member_paid',
  'network_expected', 'network_approved', 'network_received',
  'club_expected', 'club_approved', 'club_earned', 'club_given_up', 'club_bonuses', 'club_goodwill',
  'card_received', 'payment_held', 'payment_disputed', 'provider_fees',
  'issuer_float', 'club_float_paid', 'club_card_commission', 'club_card_discounts', 'club_card_cashback',
  'club_card_fees', 'club_card_losses', 'club_dispute_losses'));

create table goodwill_credits (
  id             uuid primary key,
  public_id      text not null unique default random_public_id(),
  brand_id       uuid not null,
  member_id      uuid not null,
  -- The operator's own name for it: the same one credits once.
  reference      text not null check (reference ~ '^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$'),
  amount_pence   bigint not null check (amount_pence > 0),
  reason         text not null check (reason in ('our_mistake', 'missing_cashback', 'delay', 'thank_you')),
  note           text not null check (length(note) between 3 and 500),
  -- The declined claim that it settles. Claims are erased when a member leaves; this stays.
  claim_id       uuid references claims (id) on delete set null,
  state          text not null default 'given' check (state in ('given', 'reversed')),
  version        integer not null default 1 check (version between 1 and 2),
  given_by       text not null check (length(given_by) between 1 and 100),
  given_at       timestamptz not null,
  reversed_by    text check (length(reversed_by) between 1 and 100),
  reversed_at    timestamptz,
  reversal_note  text check (length(reversal_note) between 3 and 500),
  unique (brand_id, reference),
  check ((state = 'reversed') = (reversed_at is not null)),
  check ((reversed_at is null) = (reversed_by is null) and (reversed_at is null) = (reversal_note is null)),
  constraint goodwill_credits_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id)
);
-- A claim is settled once; again only after its credit was taken back.
create unique index goodwill_credits_claim on goodwill_credits (claim_id) where state = 'given';
create index goodwill_credits_member on goodwill_credits (member_id, given_at);
create index goodwill_credits_given on goodwill_credits (given_at) where state = 'given';
create trigger goodwill_credits_lifecycle before update on goodwill_credits
  for each row execute function check_goodwill_change();
create trigger goodwill_credits_kept before delete on goodwill_credits for each row execute function refuse_change();

-- 'goodwill': declined by the retailer, and settled by us.
alter table claims
  drop constraint claims_state_check,
  add constraint claims_state_check check (state in (
    'waiting', 'incomplete', 'open', 'filed', 'accepted', 'credited', 'declined', 'goodwill', 'withdrawn', 'expired'));
