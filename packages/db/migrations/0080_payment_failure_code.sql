-- Why an attempt to pay failed (failureCodes in packages/core/payments/failure-codes.ts), with the change that it led to. Null: the
-- change is no failed attempt, the provider gives no reason, or the change is from before.
alter table payment_changes add column failure_code text,
  add constraint payment_changes_failure_code_check check (failure_code is null or state = 'failed') not valid;
