-- The press of a form that noted a spend (G6), as a hash of the form's key and its fields: the same press twice does it once.
-- Null: from before, or from a form without a key.
alter table gift_card_spends add column idempotency_key text check (length(idempotency_key) = 43);
create unique index gift_card_spends_press on gift_card_spends (line_id, idempotency_key) where idempotency_key is not null;
