-- Reads each table once. Rows can be written and changed meanwhile.
alter table clicks validate constraint clicks_terms_hash_check;
alter table network_transactions validate constraint network_transactions_revision_hash_check;
alter table network_transaction_rows validate constraint network_transaction_rows_content_hash_check;
