-- Retention (docs/operations/retention.md, decision 055): evidence of the accounts may go when no accounts need it.

--!include keep_for_accounts.sql
--!include check_goodwill_change.sql
--!include check_payment_change.sql

create or replace trigger clicks_fixed before update or delete on clicks for each row
  execute function keep_for_accounts('created_at', 'reference', 'click_number', 'target_url', 'offer_id', 'offer_variant_id', 'pre_flight');
create or replace trigger network_transaction_revisions_fixed before update or delete on network_transaction_revisions for each row
  execute function keep_for_accounts('recorded_at', 'raw');
create or replace trigger payout_reports_kept before delete on payout_reports for each row
  execute function keep_for_accounts('read_at');
create or replace trigger book_checks_fixed before update or delete on book_checks for each row
  execute function keep_for_accounts('checked_at');
create or replace trigger audit_entries_fixed before update or delete on audit_entries for each row
  execute function keep_for_accounts('at');

-- The entry of the audit log before the oldest that is kept: the chain begins after it.
create table audit_log_start (
  only_row   boolean primary key default true check (only_row),
  after_seq  bigint not null default 0,
  after_hash bytea not null default decode(repeat('00', 32), 'hex') check (length(after_hash) = 32)
);
insert into audit_log_start default values;
