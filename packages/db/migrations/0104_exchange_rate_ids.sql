-- The log names an exchange rate by its id: its key has two columns (A1, C4). The table is small, and an older version's rows get one too.
alter table exchange_rates add column id uuid not null default gen_random_uuid() unique;
