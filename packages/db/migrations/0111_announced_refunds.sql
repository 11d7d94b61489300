-- When the partner was told of a refund (payment.refunded); null: not yet. The provider can list a refund before the payment's total has it.
-- Rows from before, and those that a process of the version before writes, count as announced: that version tells of the total alone.
alter table payment_refunds
  add column announced_at timestamptz default now();
