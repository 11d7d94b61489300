-- A request for a new password that can't be answered is tried again, and given up in the end. The defaults serve the
-- previous version, which writes requests without these columns.

alter table password_reset_requests
  add column attempts integer not null default 0 check (attempts >= 0),
  -- When it is due; while a worker has it, when the lease ends.
  add column next_try_at timestamptz not null default now(),
  add column last_error text,
  add column given_up_at timestamptz;
create index password_reset_requests_due on password_reset_requests (next_try_at) where given_up_at is null;
