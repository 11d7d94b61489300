-- Sales that a network reports late, under the day they were made, are looked for once a day, a month back. What counts is how far that was
-- read, not that it was tried: a look that fails goes on where it stopped.
alter table network_passes
  add column late_covered_at timestamptz,                  -- whatever was reported before, up to a month late, is known; null: not known since when
  add column late_began_at   timestamptz,                  -- when the look that is under way began
  add column late_read_until timestamptz,                  -- the day of sale up to which it has read
  add column late_due_at     timestamptz,                  -- when the next one begins, or the one under way goes on; null: now
  add column late_error      text,
  add constraint network_passes_late_look check ((late_began_at is null) = (late_read_until is null));

-- The sale that the network names in its answer about a claim: it is the claim's, whatever order number or click it carries.
alter table claim_filings
  add column network_transaction_id text check (length(network_transaction_id) between 1 and 200);
create index claim_filings_sale on claim_filings (network_transaction_id) where network_transaction_id is not null;

-- The worker also looks for the sales of accepted claims.
drop index claims_due;
create index claims_due on claims (next_step_at)
  where given_up_at is null and not awaits_pack and state in ('waiting', 'incomplete', 'open', 'filed', 'accepted');
