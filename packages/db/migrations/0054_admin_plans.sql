-- Indexes of lists in the admin that had none for their order or filter (A2, A3), as bench/admin found at a million members.

-- Members by name; the index on the same words for searches has no order.
create index members_name on members (lower(name), id);

-- Proofs of every state, and of one that is decided, by when they were sent.
create index verification_requests_sent on verification_requests (submitted_at, public_id);
create index verification_requests_by_state on verification_requests (state, submitted_at, public_id);

-- Offers of a kind that few have, by their last change.
create index offers_of_kind on offers (kind, updated_at, id);

-- Entries of an operator who wrote few, by a part of their address.
create index audit_entries_actor_trigrams on audit_entries using gin (actor gin_trgm_ops);

-- What was paid to members by day: of the sums, one row in twenty.
create index report_money_days_of_kind on report_money_days (account_kind, day);
