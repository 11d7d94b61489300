-- Numbers an entry of the audit log and hashes it together with the hash of the entry before it (A1). Entries are
-- written one transaction after another, so the chain has no branches.
create or replace function chain_audit_entry() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('audit_entries', 0));
  select entry.seq + 1, entry.hash into new.seq, new.previous_hash
    from audit_entries entry order by entry.seq desc limit 1;
  new.seq := coalesce(new.seq, 1);
  new.previous_hash := coalesce(new.previous_hash, decode(repeat('00', 32), 'hex'));
  new.hash := sha256(new.previous_hash || convert_to(jsonb_build_array(new.seq, new.id,
    extract(epoch from new.at), new.operator_id, new.actor, new.action, new.subject_type, new.subject_id,
    new.before, new.after, new.why, new.request_id)::text, 'UTF8'));
  return new;
end $$;
