-- How many people searched for a term on a day (T7), counted before its events are dropped: what few searched for goes with them, however
-- often they did. Null: not counted, because the events are still here or went before this column came.
alter table telemetry_search_days add column people integer;

-- When a member's events were last deleted here (M5): the request stays, and deletes again what a page sends that was open when the account
-- was closed. Null: not yet.
alter table telemetry_erasures add column erased_at timestamptz;
