-- Retention finds what is old without reading all rows, which lie in the order of their times, almost (0061). In a migration of its own, because it locks its table.
create index network_transactions_created on network_transactions using brin (created_at) with (pages_per_range = 32, autosummarize = on);
