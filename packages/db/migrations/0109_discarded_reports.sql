-- A bank report that was read by mistake is discarded (C6): it stays listed and is applied no more. A report is either applied or discarded.
alter table payout_reports
  add column discarded_at timestamptz,
  add column discarded_by text check (length(discarded_by) between 1 and 254),
  add column discarded_because text check (length(discarded_because) between 1 and 500),
  add constraint payout_reports_discarded check ((discarded_at is null) = (discarded_by is null)
    and (discarded_at is null) = (discarded_because is null) and (discarded_at is null or applied_at is null));
