-- Members by the standings that few have (A2, A3): where nobody has one, its list read every member.
create index members_of_standing on members (verification, created_at, id) where verification in ('submitted', 'rejected', 'lapsed');
