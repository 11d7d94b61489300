-- Counts of hours that are over, for the charts of the admin's home and for its networks (A3, decision 061). The worker keeps them for as
-- long as they are shown; an hour that is not kept is counted from its rows.
create table report_hours (
  hour            timestamptz primary key check (hour = date_bin('1 hour', hour, timestamptz 'epoch')),
  joined          bigint not null check (joined >= 0),
  tracked         bigint not null check (tracked >= 0),    -- purchases
  confirmed_pence bigint not null                          -- cashback that retailers confirmed
);
-- Clicks by what the browser was found to do just before.
create table report_click_hours (
  hour       timestamptz not null references report_hours (hour) on delete cascade,
  network_id uuid not null,
  healthy    bigint not null check (healthy >= 0),
  slow       bigint not null check (slow >= 0),
  blocked    bigint not null check (blocked >= 0),
  no_cookies bigint not null check (no_cookies >= 0),
  unchecked  bigint not null check (unchecked >= 0),
  primary key (hour, network_id)
);
-- Hours that a late row came into, once for each row. What is kept of such an hour does not count until it is counted again.
create table report_late_hours (
  hour timestamptz not null
);
create index report_late_hours_hour on report_late_hours (hour);

--!include note_late_row.sql

-- A row is late from ten minutes after its time on. What is written earlier is waited for (packages/core/reports/report-hours.server.ts).
create trigger members_late after insert on members
  for each row when (new.created_at < clock_timestamp() - interval '10 minutes') execute function note_late_row();
create trigger members_late_change after update of created_at on members
  for each row when (new.created_at <> old.created_at) execute function note_late_row();
create trigger members_late_end after delete on members for each row execute function note_late_row();
create trigger clicks_late after insert on clicks
  for each row when (new.created_at < clock_timestamp() - interval '10 minutes') execute function note_late_row();
create trigger cashback_changes_late after insert on cashback_changes
  for each row when (new.changed_at < clock_timestamp() - interval '10 minutes') execute function note_late_row();
