-- Entries by a part of the actor, small and capital letters alike: accounts of the machine that runs commands keep their capitals.
create index audit_entries_actor_lower on audit_entries using gin (lower(actor) gin_trgm_ops);
