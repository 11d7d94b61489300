--!include report_ends_payments.sql
--!include report_needs_look.sql
-- What a bank report waits for at a moment, or what became of it: ReportState of packages/core/payouts/list-reports.server.ts (C6).
create or replace function report_state(failures jsonb, applied_at timestamptz, discarded_at timestamptz, moment timestamptz) returns text language sql stable as $$
  select case when applied_at is not null then 'applied' when discarded_at is not null then 'discarded'
    when report_ends_payments(failures, moment) then 'waiting' when report_needs_look(failures, moment) then 'look' else 'nothing' end
$$;
