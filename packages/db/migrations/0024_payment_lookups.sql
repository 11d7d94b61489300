-- Payments of which no news came are looked up at the card provider (product.md G3). When next, and how often so far, stands beside the payment:
-- a look-up is no change of it.
create table payment_lookups (
  payment_id   uuid primary key references payments (id),
  lookups      integer not null check (lookups > 0),
  next_look_at timestamptz not null
);

-- The few that are not decided yet, among all that ever were.
create index payments_undecided on payments (changed_at) where state in ('awaiting_payment', 'processing', 'failed');
