-- What an operator has set of a rate (A2): 'basis', 'cap_pence', or 'boosts' for the whole list. Imports leave these as they are.
alter table rate_tiers add column kept text[] not null default '{}';
