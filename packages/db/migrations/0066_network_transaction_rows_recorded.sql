-- Retention finds what is old without reading all rows, which lie in the order of their times, almost (0061). In a migration of its own, because it locks its table.
create index network_transaction_rows_recorded on network_transaction_rows using brin (recorded_at) with (pages_per_range = 32, autosummarize = on);
