-- Posts a transfer once per key, and opens accounts when they are first used. Returns false when the key is taken.
-- `accounts`, `kinds`, `members`, `networks` and `amounts` hold one element per entry. One function whose plans the
-- connection keeps costs a fraction of separate statements (bench/ledger).
create or replace function post_ledger_transfer(
  transfer uuid, new_key text, new_kind text, hash bytea, new_cause_kind text, new_cause_id uuid, happened timestamptz,
  accounts uuid[], kinds text[], members uuid[], networks uuid[], amounts bigint[]
) returns boolean language plpgsql as $$
begin
  insert into ledger_transfers (id, transfer_key, transfer_kind, content_hash, cause_kind, cause_id, happened_at)
  values (transfer, new_key, new_kind, hash, new_cause_kind, new_cause_id, happened)
  on conflict (transfer_key) do nothing;
  if not found then return false; end if;
  if (select count(*) from ledger_accounts known where known.id = any(accounts)) < cardinality(accounts) then
    insert into ledger_accounts (id, account_kind, member_id, network_id)
    select * from unnest(accounts, kinds, members, networks)
    on conflict do nothing;
  end if;
  insert into ledger_entries (transfer_id, account_id, amount_pence)
  select transfer, account, amount from unnest(accounts, amounts) as leg (account, amount);
  return true;
end $$;
