-- Retention (docs/operations/retention.md, decision 055): evidence of the accounts may go when no accounts need it, and the
-- sweeps find what is old without reading all rows.

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

-- Rows lie in the order of their times, almost: a few kilobytes of index find the old ones.
create index network_transactions_created on network_transactions using brin (created_at) with (pages_per_range = 32, autosummarize = on);
create index network_transaction_revisions_recorded on network_transaction_revisions
  using brin (recorded_at) with (pages_per_range = 32, autosummarize = on);
create index network_transaction_rows_recorded on network_transaction_rows
  using brin (recorded_at) with (pages_per_range = 32, autosummarize = on);
create index payments_created on payments using brin (created_at) with (pages_per_range = 32, autosummarize = on);
create index partner_webhook_deliveries_created on partner_webhook_deliveries
  using brin (created_at) with (pages_per_range = 32, autosummarize = on);

-- Members who left and whose number still leads from old papers to their row.
create index members_left_with_number on members (closed_at) where closed_at is not null and member_number not like 'GONE-%';
