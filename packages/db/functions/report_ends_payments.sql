-- Whether a bank report would end a payment if it were applied at a moment. packages/core/payouts/failures.server.ts has the same rule, line by line (C6).
create or replace function report_ends_payments(failures jsonb, moment timestamptz) returns boolean language sql stable as $$
  select exists (
    select from jsonb_to_recordset(failures) as line ("reference" text, "amountPence" bigint, "reason" text)
      join payouts payout on payout.bank_reference = line."reference"
      join payout_batches batch on batch.id = payout.batch_id
    where payout.method = 'bank' and payout.amount_pence = line."amountPence" and line."reason" <> 'refused'
      and payout.state in ('processing', 'paid') and batch.approved_at is not null
      and batch.processing_day <= (moment at time zone 'Europe/London')::date)
$$;
