-- Searches and filters of the admin (A3) that grew with the club.

-- Addresses by how they begin, whatever the collation; the index of trigrams reads every address that has the rarest part of what was typed.
create index member_emails_by_beginning on member_emails (email text_pattern_ops) include (member_id);

-- Members who left, the newest first.
create index members_closed on members (created_at desc, id desc) where closed_at is not null;

-- How many batches are in each state (the words of packages/core/payouts/list-batches.server.ts): without it the planner takes a state for a
-- rare one, sorts all its batches, and sums the payouts of each before it leaves out all but a page.
create statistics payout_batches_by_state on (case when confirmed_at is not null then 'confirmed'
  when rejected_at is not null then 'rejected' when approved_at is not null then 'approved' else 'waiting' end) from payout_batches;
