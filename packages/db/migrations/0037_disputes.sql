-- Disputes of card payments, refunds that we did not make, and the card provider's fees (G3, G4). docs/disputes.md explains
-- the states; docs/ledger.md the transfers.

--!include check_dispute_change.sql
--!include check_gift_card_line_change.sql
--!include refuse_change.sql

-- 'payment_disputed': minus what the card provider has withdrawn for disputes that are not lost. 'provider_fees': minus what it
-- has kept for its work. 'club_dispute_losses': minus what lost disputes of gift cards have cost the club.
alter table ledger_accounts drop constraint ledger_accounts_account_kind_check;
alter table ledger_accounts add constraint ledger_accounts_account_kind_check check (account_kind in (
  'member_tracked', 'member_confirmed', 'member_payable', 'member_in_transit', 'member_paid',
  'network_expected', 'network_approved', 'network_received',
  'club_expected', 'club_approved', 'club_earned', 'club_given_up', 'club_bonuses',
  'card_received', 'payment_held', 'payment_disputed', 'provider_fees',
  'issuer_float', 'club_float_paid', 'club_card_commission', 'club_card_discounts', 'club_card_cashback',
  'club_card_fees', 'club_card_losses', 'club_dispute_losses'));

-- One dispute of one payment, as the card provider has it.
create table payment_disputes (
  id                  uuid primary key,
  public_id           text not null unique default random_public_id(),
  payment_id          uuid not null references payments (id),
  provider_dispute_id text not null unique check (length(provider_dispute_id) between 1 and 100),
  state               text not null check (state in ('inquiry', 'needs_response', 'under_review', 'won', 'lost', 'closed')),
  reason              text not null check (length(reason) between 1 and 100),        -- in the provider's words
  amount_pence        bigint not null check (amount_pence > 0),
  -- What the provider has taken from our balance and not returned, and what it charges for the dispute.
  withdrawn_pence     bigint not null check (withdrawn_pence >= 0),
  fee_pence           bigint not null check (fee_pence >= 0),
  -- Who bears it when it is lost: the club for gift cards, else the partner whose payment it was.
  is_for_gift_cards   boolean not null,
  evidence_due_at     timestamptz,
  has_evidence        boolean not null,
  version             integer not null default 1 check (version >= 1),
  opened_at           timestamptz not null,
  changed_at          timestamptz not null,
  -- When it is read from the provider again; null: it is over, and only its webhooks can change it.
  next_look_at        timestamptz,
  lookups             integer not null default 0 check (lookups >= 0)
);
create index payment_disputes_payment on payment_disputes (payment_id);
create index payment_disputes_due on payment_disputes (next_look_at) where next_look_at is not null;
create trigger payment_disputes_lifecycle before update on payment_disputes
  for each row execute function check_dispute_change();
create trigger payment_disputes_kept before delete on payment_disputes for each row execute function refuse_change();

-- Every change, with the transfer that posted it.
create table payment_dispute_changes (
  dispute_id      uuid not null references payment_disputes (id),
  version         integer not null,
  state           text not null,
  withdrawn_pence bigint not null,
  fee_pence       bigint not null,
  transfer_id     uuid references ledger_transfers (id),   -- null: no money moved
  changed_at      timestamptz not null,
  primary key (dispute_id, version)
);
create trigger payment_dispute_changes_fixed before update or delete on payment_dispute_changes
  for each row execute function refuse_change();
create trigger payment_dispute_changes_kept before truncate on payment_dispute_changes
  for each statement execute function refuse_change();

alter table payment_refunds
  -- The provider's name for it. A refund of ours from before this column has none.
  add column provider_refund_id text unique check (length(provider_refund_id) between 1 and 100),
  -- 'provider': made in the card provider's dashboard, by a person.
  add column made_by text not null default 'us' check (made_by in ('us', 'provider')),
  add constraint payment_refunds_named check (made_by = 'us' or provider_refund_id is not null),
  drop constraint payment_refunds_state_check,
  -- 'returned': the payer's bank could not take it, and the money is back with the provider.
  add constraint payment_refunds_state_check check (state in ('asked', 'done', 'refused', 'returned'));

-- What the card provider keeps of each live payment. A row waits in the queue until the fee is known.
create table payment_fees (
  payment_id   uuid primary key references payments (id),
  fee_pence    bigint check (fee_pence >= 0),
  transfer_id  uuid references ledger_transfers (id),      -- null: not read yet, or there is no fee
  next_read_at timestamptz,                                -- null: it is read
  attempts     integer not null default 0 check (attempts >= 0),
  last_error   text check (length(last_error) <= 500),
  check ((fee_pence is null) = (next_read_at is not null))
);
create index payment_fees_due on payment_fees (next_read_at) where next_read_at is not null;
create trigger payment_fees_kept before delete on payment_fees for each row execute function refuse_change();
insert into payment_fees (payment_id, next_read_at)
select id, now() from payments where mode = 'live' and state in ('paid', 'partly_refunded', 'refunded');

alter table gift_card_lines
  -- The buyer's bank took back what a card was bought with, and the buyer keeps the card.
  add column lost_to_dispute_at timestamptz,
  drop constraint gift_card_lines_state_check,
  -- 'charged_back': no card, and no refund, because the buyer's bank has taken the money back.
  add constraint gift_card_lines_state_check check (state in (
    'awaiting_payment', 'held', 'issuing', 'issued', 'reversing', 'refunding', 'refunded', 'charged_back', 'cancelled')),
  add constraint gift_card_lines_charged_back check (state <> 'charged_back' or (card_state <> 'issued' and reason is not null));
