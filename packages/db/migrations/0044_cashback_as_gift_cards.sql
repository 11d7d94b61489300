-- Cashback as a gift card (C6, G4): a payout whose payment is a gift-card order. docs/payouts.md explains it.

--!include check_gift_card_order_payment.sql

-- 'club_card_payouts': minus what members have taken as gift cards out of their cashback.
alter table ledger_accounts drop constraint ledger_accounts_account_kind_check;
alter table ledger_accounts add constraint ledger_accounts_account_kind_check check (account_kind in (
  'member_tracked', 'member_confirmed', 'member_payable', 'member_in_transit', 'member_paid',
  'network_expected', 'network_approved', 'network_received',
  'club_expected', 'club_approved', 'club_earned', 'club_given_up', 'club_bonuses', 'club_goodwill',
  'card_received', 'payment_held', 'payment_disputed', 'provider_fees',
  'issuer_float', 'club_float_paid', 'club_card_commission', 'club_card_discounts', 'club_card_cashback',
  'club_card_fees', 'club_card_losses', 'club_card_payouts', 'club_dispute_losses'));

-- An order is placed in a partner's frame and paid by card, or by a member and paid with a payout.
alter table gift_card_orders
  alter column partner_id drop not null,
  alter column session_id drop not null,
  add column payout_id uuid unique references payouts (id),
  add constraint gift_card_orders_paid_with check (
    (payout_id is null) = (partner_id is not null) and (payout_id is null) = (session_id is not null)
    and (payout_id is null or (member_id is not null and payment_id is null)));
create unique index gift_card_orders_payout_key on gift_card_orders (member_id, idempotency_key) where payout_id is not null;
create constraint trigger gift_card_orders_payment after insert on gift_card_orders
  deferrable initially deferred for each row execute function check_gift_card_order_payment();

-- A payout by bank leaves in a batch. One by gift card follows the line of its order.
alter table payouts drop constraint payouts_check;
alter table payouts add constraint payouts_sent check (
  state not in ('processing', 'paid', 'returned')
  or processing_at is not null and (batch_id is not null) = (method = 'bank'));

-- After an act of recovery that ends the bank details, cashback is not taken as gift cards before this.
alter table members add column gift_cards_from timestamptz;

-- The session in which the same browser has ordered what this one came back to from a bank: it sees that session's orders.
alter table widget_sessions add column ordered_in uuid references widget_sessions (id) on delete set null;
create index widget_sessions_ordered_in on widget_sessions (ordered_in) where ordered_in is not null;
