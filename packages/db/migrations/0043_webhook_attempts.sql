-- Every attempt to deliver an event to a partner's endpoint, for the partner's log (W10). The delivery itself keeps the last one only.
create table partner_webhook_attempts (
  id           uuid primary key,                            -- UUIDv7: in the order of the attempts
  delivery_id  uuid not null references partner_webhook_deliveries (id) on delete cascade,
  attempted_at timestamptz not null,
  duration_ms  integer not null check (duration_ms >= 0),
  status       integer,                                     -- what the endpoint answered; null: nothing
  error        text check (length(error) between 1 and 500) -- why it answered nothing
);
create index partner_webhook_attempts_of_delivery on partner_webhook_attempts (delivery_id, id);
