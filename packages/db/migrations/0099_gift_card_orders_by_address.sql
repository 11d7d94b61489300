-- Operators find a visitor's gift cards by the address that the visitor typed (A3).
create index gift_card_orders_buyer_email on gift_card_orders (lower(buyer_email)) where buyer_email is not null;
