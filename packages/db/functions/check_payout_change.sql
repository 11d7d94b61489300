-- The lifecycle of a payout; packages/core/payouts/rules.ts has the same transitions (C6). A payout leaves a batch only while
-- nobody has approved the batch or after the batch is cancelled, and is paid only in a batch that was approved and not cancelled.
create or replace function check_payout_change() returns trigger language plpgsql as $$
begin
  if old.state <> new.state and (old.state, new.state) not in (
    ('requested', 'processing'), ('requested', 'failed'),
    ('processing', 'requested'), ('processing', 'paid'), ('processing', 'failed'),
    ('paid', 'returned')) then
    raise exception 'a payout cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if old.state = 'processing' and new.state in ('requested', 'paid')
    and (new.state = 'paid') <> (select approved_at is not null and cancelled_at is null from payout_batches where id = old.batch_id) then
    raise exception 'a payout cannot go from % to %: an approved batch is paid, and only that',
      old.state, new.state using errcode = 'check_violation';
  end if;
  if (old.amount_pence, old.member_id, old.brand_id, old.method, old.bank_reference)
    is distinct from (new.amount_pence, new.member_id, new.brand_id, new.method, new.bank_reference) then
    raise exception 'payout % is for one member and one amount', old.id using errcode = 'check_violation';
  end if;
  if new.version <> old.version + 1 then
    raise exception 'payout % changes by one version at a time', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
