-- An approved batch that is taken apart before the bank processes it (C6): its payouts wait for the next one.
alter table payout_batches
  add column cancelled_at timestamptz,
  add column cancelled_by text check (length(cancelled_by) between 1 and 254),
  add column cancelled_because text check (length(cancelled_because) between 3 and 500),
  add constraint payout_batches_cancellation check (
    (cancelled_at is null) = (cancelled_by is null) and (cancelled_at is null) = (cancelled_because is null)),
  add constraint payout_batches_cancelled_after check (cancelled_at is null or (approved_at is not null and confirmed_at is null));

-- Of the words of packages/core/payouts/list-batches.server.ts, as before.
drop statistics payout_batches_by_state;
create statistics payout_batches_by_state on (case when confirmed_at is not null then 'confirmed'
  when rejected_at is not null then 'rejected' when cancelled_at is not null then 'cancelled'
  when approved_at is not null then 'approved' else 'waiting' end) from payout_batches;
