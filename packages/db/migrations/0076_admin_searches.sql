-- Searches and filters of the admin's members (A3) that grew with the club.

-- Addresses by how they begin, whatever the collation; the index of trigrams reads every address that has the rarest part of what was typed.
create index member_emails_by_beginning on member_emails (email text_pattern_ops) include (member_id);

-- Members who left, the newest first.
create index members_closed on members (created_at desc, id desc) where closed_at is not null;
