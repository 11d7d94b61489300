-- Gift cards (G4, G5): what issuers sell, orders, and one line per card with one outcome: a card or a refund.
-- docs/gift-cards.md explains the states; docs/ledger.md the transfers.

--!include check_gift_card_line_change.sql
--!include refuse_change.sql

-- 'issuer_float': minus what we have with issuers. 'club_float_paid': what we have paid to them. 'club_card_…': what
-- sales of gift cards have earned and cost the club.
alter table ledger_accounts drop constraint ledger_accounts_account_kind_check;
alter table ledger_accounts add constraint ledger_accounts_account_kind_check check (account_kind in (
  'member_tracked', 'member_confirmed', 'member_payable', 'member_in_transit', 'member_paid',
  'network_expected', 'network_approved', 'network_received',
  'club_expected', 'club_approved', 'club_earned', 'club_given_up', 'club_bonuses',
  'card_received', 'payment_held',
  'issuer_float', 'club_float_paid', 'club_card_commission', 'club_card_discounts', 'club_card_cashback',
  'club_card_fees', 'club_card_losses'));

create table gift_card_products (
  id                   uuid primary key,
  public_id            text not null unique default random_public_id(),
  issuer               text not null check (issuer ~ '^[a-z][a-z0-9-]*$'),
  issuer_product_id    text not null check (length(issuer_product_id) between 1 and 100),
  name                 text not null check (length(name) between 1 and 200),
  -- Either a list of amounts, or a range with a step.
  amounts_pence        bigint[] check (cardinality(amounts_pence) > 0 and 0 < all (amounts_pence)),
  min_pence            bigint check (min_pence > 0),
  max_pence            bigint check (max_pence >= min_pence),
  step_pence           bigint check (step_pence > 0),
  issuer_discount_bp   integer not null check (issuer_discount_bp between 0 and 5000),
  -- What the buyer gets of it: off the price, or as cashback.
  reward_kind          text not null default 'discount' check (reward_kind in ('discount', 'cashback')),
  reward_bp            integer not null check (reward_bp between 0 and issuer_discount_bp),
  fee_pence            bigint not null default 0 check (fee_pence between 0 and 1000),
  is_reversible        boolean not null,
  expires_after_months integer check (expires_after_months > 0),
  redeemable_at        text[] not null check (cardinality(redeemable_at) > 0 and redeemable_at <@ array['online', 'in-store']),
  terms                text not null check (length(terms) <= 20000),
  -- The issuer does not sell it now, or lists it no more.
  withdrawn_at         timestamptz,
  -- An operator has stopped its sale, for example because the retailer is insolvent.
  stopped_at           timestamptz,
  stopped_because      text check (length(stopped_because) between 3 and 500),
  synced_at            timestamptz not null,
  unique (issuer, issuer_product_id),
  check ((amounts_pence is null) <> (min_pence is null)),
  check ((min_pence is null) = (max_pence is null) and (min_pence is null) = (step_pence is null)),
  check ((stopped_at is null) = (stopped_because is null))
);

create table gift_card_orders (
  id              uuid primary key,
  public_id       text not null unique default random_public_id(),
  partner_id      uuid not null references partners (id),
  -- The session that placed it, and the key with which its page repeats the request. Sessions are deleted; this stays.
  session_id      uuid not null,
  idempotency_key text not null check (length(idempotency_key) between 8 and 100),
  brand_id        uuid references brands (id),
  member_id       uuid,
  -- A keyed hash of the buyer's e-mail address: limits count by it, and the address itself is not kept.
  buyer_mark      bytea not null check (length(buyer_mark) = 32),
  total_pence     bigint not null check (total_pence > 0),
  -- Null: the buyer has not begun to pay, or the page died before we noted it.
  payment_id      uuid unique references payments (id),
  placed_at       timestamptz not null,
  unique (session_id, idempotency_key),
  check ((member_id is null) = (brand_id is null)),
  constraint gift_card_orders_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id)
);
create index gift_card_orders_member on gift_card_orders (member_id, placed_at) where member_id is not null;
create index gift_card_orders_buyer on gift_card_orders (buyer_mark, placed_at);
create trigger gift_card_orders_kept before delete on gift_card_orders for each row execute function refuse_change();

create table gift_card_lines (
  id                uuid primary key,
  public_id         text not null unique default random_public_id(),
  order_id          uuid not null references gift_card_orders (id),
  line_number       integer not null check (line_number between 1 and 100),
  product_id        uuid not null references gift_card_products (id),
  -- Frozen at checkout. The buyer pays price and fee; the cost is what the issuer should take.
  face_pence        bigint not null check (face_pence > 0),
  price_pence       bigint not null check (price_pence between 1 and face_pence),
  fee_pence         bigint not null check (fee_pence >= 0),
  cashback_pence    bigint not null check (cashback_pence >= 0),
  cost_pence        bigint not null check (cost_pence between 0 and face_pence),
  state             text not null check (state in (
    'awaiting_payment', 'held', 'issuing', 'issued', 'reversing', 'refunding', 'refunded', 'cancelled')),
  version           integer not null default 1 check (version >= 1),
  -- Whether the issuer has a card for it: 'possible' from before it is asked until it is known; 'lost': a card that we
  -- pay for and nobody gets.
  card_state        text not null default 'none' check (card_state in ('none', 'possible', 'issued', 'reversed', 'lost')),
  cashback_state    text not null default 'none' check (cashback_state in ('none', 'confirmed', 'payable')),
  -- Why it is held, reversed or refunded.
  reason            text check (reason ~ '^[a-z]+(-[a-z]+)*$'),
  -- Code, PIN and barcode: AES-256-GCM with the id of the key in front, bound to the line.
  sealed_card       text check (length(sealed_card) between 40 and 10000),
  issuer_reference  text check (length(issuer_reference) <= 200),
  expires_on        date,
  issue_calls       integer not null default 0 check (issue_calls >= 0),
  last_issue_at     timestamptz,
  paid_at           timestamptz,
  issued_at         timestamptz,
  reversing_since   timestamptz,
  refunded_at       timestamptz,
  -- The queue of what is to be done next; null: nothing.
  next_step_at      timestamptz,
  attempts          integer not null default 0,
  last_error        text check (length(last_error) <= 500),
  unique (order_id, line_number),
  -- One outcome: whoever has the card gets no refund, and the other way round.
  check (state not in ('refunding', 'refunded', 'cancelled') or card_state <> 'issued'),
  check ((state = 'issued') <= (card_state = 'issued')),
  check ((card_state = 'issued') <= (sealed_card is not null and issued_at is not null)),
  check ((state = 'refunded') = (refunded_at is not null)),
  check (state in ('awaiting_payment', 'cancelled') or paid_at is not null),
  check (state not in ('refunding', 'refunded') or reason is not null),
  check (cashback_state = 'none' or (card_state = 'issued' and cashback_pence > 0))
);
create index gift_card_lines_due on gift_card_lines (next_step_at) where next_step_at is not null;
create index gift_card_lines_product on gift_card_lines (product_id);
create trigger gift_card_lines_lifecycle before update on gift_card_lines
  for each row execute function check_gift_card_line_change();
create trigger gift_card_lines_kept before delete on gift_card_lines for each row execute function refuse_change();

-- Every change, with the transfer that posted it.
create table gift_card_line_changes (
  line_id     uuid not null references gift_card_lines (id),
  version     integer not null,
  state       text not null,
  card_state  text not null,
  reason      text,
  changed_by  text not null check (length(changed_by) between 1 and 100),
  transfer_id uuid references ledger_transfers (id),
  changed_at  timestamptz not null,
  primary key (line_id, version)
);
create trigger gift_card_line_changes_fixed before update or delete on gift_card_line_changes
  for each row execute function refuse_change();
create trigger gift_card_line_changes_kept before truncate on gift_card_line_changes
  for each statement execute function refuse_change();
