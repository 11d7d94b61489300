-- The audit log narrowed to a type of subject, newest first (A1): the index of subjects has no order by number across them.
create index audit_entries_type on audit_entries (subject_type, seq desc);
