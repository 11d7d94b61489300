-- The lifecycle of a cashback entry; packages/core/cashback/rules.ts has the same transitions (C3). Amounts are fixed
-- from payable on.
create or replace function check_cashback_change() returns trigger language plpgsql as $$
begin
  if old.state <> new.state and (old.state, new.state) not in (
    ('tracked', 'confirmed'), ('tracked', 'declined'), ('confirmed', 'payable'), ('confirmed', 'declined'),
    ('payable', 'paid'), ('declined', 'tracked')) then
    raise exception 'a cashback entry cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if new.version <> old.version + 1 then
    raise exception 'cashback entry % changes by one version at a time', old.id using errcode = 'check_violation';
  end if;
  if old.state in ('payable', 'paid')
    and (old.cashback_pence, old.commission_pence, old.sale_pence)
      <> (new.cashback_pence, new.commission_pence, new.sale_pence) then
    raise exception 'cashback entry % is %: its amounts are changed by a correction', old.id, old.state
      using errcode = 'check_violation';
  end if;
  if (old.member_id, old.click_id, old.network_transaction_id, old.entry_kind)
    <> (new.member_id, new.click_id, new.network_transaction_id, new.entry_kind) then
    raise exception 'cashback entry % keeps its member, click and network transaction', old.id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
