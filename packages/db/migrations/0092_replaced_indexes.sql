-- What 0085 and 0091 replace: dropped after they are there, so that the version before is never without an index.
drop index audit_entries_actor_trigrams;
drop index network_transactions_unpaid;
