-- Where a visitor's mails about an order go (G4): what the visitor typed at the checkout, unless the partner gave an address with the price.
-- Removed 30 days after the order. Null: a member's order, the partner's address, or an order from before, whose address its session has.
alter table gift_card_orders add column buyer_email text,
  add constraint gift_card_orders_buyer_email_check check (buyer_email is null or member_id is null and length(buyer_email) between 3 and 254) not valid;
create index gift_card_orders_addressed on gift_card_orders (placed_at) where buyer_email is not null;
