-- What the pre-flight check found in the member's browser at this click. Null where no check ran: no script, or a direct link.
alter table clicks
  add column pre_flight text check (pre_flight in ('healthy', 'slow', 'blocked', 'no_cookies'));
