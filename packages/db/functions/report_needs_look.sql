-- Whether a person has to look at a bank report at a moment: a line of it names a payment of ours that is under way or paid, with an amount that is not what we
-- paid or with a code that we don't know. packages/core/payouts/failures.server.ts has the same rule, line by line (C6).
create or replace function report_needs_look(failures jsonb, moment timestamptz) returns boolean language sql stable as $$
  select exists (
    select from jsonb_to_recordset(failures) as line ("reference" text, "amountPence" bigint, "reason" text)
      join payouts payout on payout.bank_reference = line."reference"
      left join payout_batches batch on batch.id = payout.batch_id
    where payout.method = 'bank' and payout.state in ('processing', 'paid')
      and (payout.amount_pence <> line."amountPence"
        or line."reason" = 'refused' and batch.approved_at is not null
          and batch.processing_day <= (moment at time zone 'Europe/London')::date))
$$;
