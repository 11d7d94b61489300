-- Members who left and whose number still leads from old papers to their row (0061). In a migration of its own, because it locks its table.
create index members_left_with_number on members (closed_at) where closed_at is not null and member_number not like 'GONE-%';
