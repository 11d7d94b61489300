-- The press of a form that put a card into the basket (G2), as 0101 has it for spends: a table each, so that neither waits for the other.
alter table gift_card_basket_lines add column idempotency_key text check (length(idempotency_key) = 43);
create unique index gift_card_basket_lines_press on gift_card_basket_lines (session_id, idempotency_key) where idempotency_key is not null;
