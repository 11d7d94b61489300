-- A payment's look-up is queued before it is claimed for the first time, so its count starts at zero (docs/decisions/029-due-work.md).
alter table payment_lookups drop constraint payment_lookups_lookups_check;
alter table payment_lookups add constraint payment_lookups_lookups_check check (lookups >= 0);
