-- Sales that a network reports late, under the day they were made, are looked for once a day, a month back. What counts is how far that was
-- read, not that it was tried: a look that fails goes on where it stopped.
alter table network_passes
  add column late_covered_at timestamptz,                  -- whatever was reported before, up to a month late, is known; null: not known since when
  add column late_began_at   timestamptz,                  -- when the look that is under way began
  add column late_read_until timestamptz,                  -- the day of sale up to which it has read
  add column late_due_at     timestamptz,                  -- when the next one begins, or the one under way goes on; null: now
  add column late_error      text,
  add constraint network_passes_late_look check ((late_began_at is null) = (late_read_until is null));
