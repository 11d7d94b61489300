-- The lifecycle of a dispute; packages/core/payments/dispute-rules.ts has the same transitions. Which payment it disputes is
-- fixed. A look-up (next_look_at, lookups) is no change of the dispute.
create or replace function check_dispute_change() returns trigger language plpgsql as $$
begin
  if (old.payment_id, old.provider_dispute_id, old.public_id, old.is_for_gift_cards, old.opened_at)
    is distinct from (new.payment_id, new.provider_dispute_id, new.public_id, new.is_for_gift_cards, new.opened_at) then
    raise exception 'dispute % keeps its payment', old.id using errcode = 'check_violation';
  end if;
  if new.version = old.version then
    if (old.state, old.reason, old.amount_pence, old.withdrawn_pence, old.fee_pence, old.evidence_due_at, old.has_evidence)
      is distinct from (new.state, new.reason, new.amount_pence, new.withdrawn_pence, new.fee_pence, new.evidence_due_at, new.has_evidence) then
      raise exception 'dispute % changes by one version at a time', old.id using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if new.version <> old.version + 1 then
    raise exception 'dispute % changes by one version at a time', old.id using errcode = 'check_violation';
  end if;
  if old.state <> new.state and (old.state, new.state) not in (
    ('inquiry', 'needs_response'), ('inquiry', 'under_review'), ('inquiry', 'won'), ('inquiry', 'lost'), ('inquiry', 'closed'),
    ('needs_response', 'under_review'), ('needs_response', 'won'), ('needs_response', 'lost'), ('needs_response', 'closed'),
    ('under_review', 'needs_response'), ('under_review', 'won'), ('under_review', 'lost'), ('under_review', 'closed'),
    ('won', 'needs_response'), ('won', 'under_review'), ('won', 'lost'),
    ('lost', 'needs_response'), ('lost', 'under_review'), ('lost', 'won'),
    ('closed', 'needs_response'), ('closed', 'under_review'), ('closed', 'won'), ('closed', 'lost')) then
    raise exception 'a dispute cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  return new;
end $$;
