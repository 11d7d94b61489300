-- What the admin needs to run the club's money (A1, C4, C6): batches that a second person approves, the bank's reports as they
-- were read, checks of the books, and the orders of lists.

--!include check_payout_change.sql
--!include random_public_id.sql
--!include refuse_change.sql

-- Nothing leaves before a second person has seen it. Whoever made a batch approves it only with a reason of their own; a batch
-- that is rejected pays nobody, and its payouts wait again.
alter table payout_batches
  add column approved_at            timestamptz,
  add column approved_by            text check (length(approved_by) between 1 and 254),
  add column approved_alone_because text check (length(approved_alone_because) between 3 and 500),
  add column rejected_at            timestamptz,
  add column rejected_by            text check (length(rejected_by) between 1 and 254),
  add column rejected_because       text check (length(rejected_because) between 3 and 500);
update payout_batches set approved_at = made_at, approved_by = made_by,
  approved_alone_because = 'Made before batches were approved by a second person.';
alter table payout_batches
  add constraint payout_batches_approval check ((approved_at is null) = (approved_by is null)),
  add constraint payout_batches_rejection check (
    (rejected_at is null) = (rejected_by is null) and (rejected_at is null) = (rejected_because is null)),
  add constraint payout_batches_four_eyes check (approved_by is distinct from made_by or approved_alone_because is not null),
  add constraint payout_batches_decided_once check (approved_at is null or rejected_at is null),
  add constraint payout_batches_confirmed_after check (confirmed_at is null or approved_at is not null);
create index payout_batches_to_approve on payout_batches (made_at) where approved_at is null and rejected_at is null;
create index payout_batches_to_confirm on payout_batches (processing_day) where approved_at is not null and confirmed_at is null;

-- Operators are named by their address.
alter table payout_batches
  drop constraint payout_batches_made_by_check,
  add constraint payout_batches_made_by_check check (length(made_by) between 1 and 254),
  drop constraint payout_batches_confirmed_by_check,
  add constraint payout_batches_confirmed_by_check check (length(confirmed_by) between 1 and 254);
alter table payouts
  drop constraint payouts_requested_by_check,
  add constraint payouts_requested_by_check check (length(requested_by) between 1 and 254);
alter table payout_holds
  drop constraint payout_holds_placed_by_check,
  add constraint payout_holds_placed_by_check check (length(placed_by) between 1 and 254),
  drop constraint payout_holds_lifted_by_check,
  add constraint payout_holds_lifted_by_check check (length(lifted_by) between 1 and 254);
alter table goodwill_credits
  drop constraint goodwill_credits_given_by_check,
  add constraint goodwill_credits_given_by_check check (length(given_by) between 1 and 254),
  drop constraint goodwill_credits_reversed_by_check,
  add constraint goodwill_credits_reversed_by_check check (length(reversed_by) between 1 and 254);

-- The bank's reports of payments that did not arrive: read once, looked at, then applied. A file that is read again is found
-- by its hash.
create table payout_reports (
  id           uuid primary key,
  public_id    text not null unique default random_public_id(),
  file_name    text not null check (length(file_name) between 1 and 200),
  content_hash bytea not null unique check (length(content_hash) = 32),
  failures     jsonb not null,                             -- [{ reference, amountPence, reason, said }]
  read_at      timestamptz not null,
  read_by      text not null check (length(read_by) between 1 and 254),
  applied_at   timestamptz,
  applied_by   text check (length(applied_by) between 1 and 254),
  outcomes     jsonb,                                      -- one for each failure, in their order; null: not applied
  check ((applied_at is null) = (applied_by is null) and (applied_at is null) = (outcomes is null))
);
create index payout_reports_read on payout_reports (read_at desc, id desc);
create index payout_reports_to_apply on payout_reports (read_at) where applied_at is null;
create trigger payout_reports_kept before delete on payout_reports for each row execute function refuse_change();

-- Checks of the books (C4) that were made from the admin, with what they found.
create table book_checks (
  id          uuid primary key,
  public_id   text not null unique default random_public_id(),
  checked_at  timestamptz not null,
  checked_by  text not null check (length(checked_by) between 1 and 254),
  took_ms     integer not null check (took_ms >= 0),
  transfers   bigint not null,
  entries     bigint not null,
  accounts    bigint not null,
  notes       jsonb not null,                              -- sentences
  faults      jsonb not null                               -- sentences; empty: the books balance
);
create index book_checks_checked on book_checks (checked_at desc, id desc);
create trigger book_checks_fixed before update or delete on book_checks for each row execute function refuse_change();

-- Operators list these from the newest, or those in one state from the oldest.
create index payouts_listed on payouts (requested_at desc, id desc);
create index payouts_by_state on payouts (state, requested_at, id);
create index payouts_of_brand on payouts (brand_id, requested_at, id);
drop index payouts_batch;
create index payouts_of_batch on payouts (batch_id, requested_at, id) include (amount_pence) where batch_id is not null;
create index payout_holds_placed on payout_holds (placed_at, id);
create index payments_listed on payments (created_at desc, id desc);
create index payments_by_state on payments (state, created_at, id);
create index payment_disputes_opened on payment_disputes (opened_at, id);
create index payment_disputes_evidence on payment_disputes (evidence_due_at, id)
  where state in ('inquiry', 'needs_response') and not has_evidence;
create index goodwill_credits_listed on goodwill_credits (given_at desc, id desc);
