-- Nothing is paid to a changed account of a last payout before this moment (C6, M5), as with bank_details.usable_from. Null: the account
-- was named with the request to leave, which is longer ago than that when the account can close.
alter table closures add column payee_usable_from timestamptz;
