-- A mailbox at work proves one account of a brand (product.md M4). The operation checks this under a lock; these constraints hold it also for
-- whatever writes without that check.
create extension if not exists btree_gist;

alter table work_email_checks
  add constraint work_email_checks_mailbox_of_email
    check (mailbox = split_part(split_part(email, '@', 1), '+', 1) || '@' || split_part(email, '@', 2)),
  -- A member may use a mailbox again, for a renewal: only another member's use conflicts.
  add constraint work_email_checks_one_account
    exclude using gist (brand_id with =, mailbox with =, member_id with <>) where (used_at is not null);

-- The exclusion constraint's index serves the same look-ups.
drop index work_email_checks_mailbox;
