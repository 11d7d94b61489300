-- How a retailer has dealt with members' purchases in the last year, worked out by the worker (complaints.md 6): shown before the click.
create table retailer_scorecards (
  retailer_id         uuid primary key references retailers (id) on delete cascade,
  purchases           integer not null check (purchases >= 0),
  tracked_in_time     integer not null check (tracked_in_time between 0 and purchases),
  decided             integer not null check (decided >= 0),
  declined            integer not null check (declined between 0 and decided),
  median_confirm_days integer check (median_confirm_days >= 0),      -- from the purchase; null: none confirmed yet
  worked_out_at       timestamptz not null
);
