-- Before an operator's second factor is on, its secret is for the half session that sees it, and no other (S1). Null: it is on, or its secret is from before
-- and is shown to nobody any more.
alter table operator_second_factors add column shown_to uuid;
