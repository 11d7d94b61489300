-- The same guarantees as 0004 at a fraction of the cost (bench/ledger): what was asked per entry is asked once per statement, and
-- posting is one function whose plans the connection keeps.

drop trigger ledger_entries_balance on ledger_entries;
drop function check_ledger_entry();
drop trigger ledger_transfers_not_empty on ledger_transfers;
drop function check_ledger_transfer();

-- Entries belong to a transfer of the same transaction, which the check below makes sure of. A foreign key would ask again for every
-- entry, and write a lock into the transfer's row.
alter table ledger_entries drop constraint ledger_entries_transfer_id_fkey;

-- Totals are folded by transfer, one index entry instead of one per leg; nothing looks transfers up by their cause.
drop index ledger_entries_xact;
drop index ledger_transfers_cause;
create index ledger_transfers_xact on ledger_transfers (xact_id);

-- At once, for every statement that writes entries: they go into accounts that exist, into a transfer made in this very transaction,
-- and each statement adds as much as it takes away.
create function check_ledger_entries() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  fault record;
begin
  -- Scalar subqueries and no scans: a plan made while the tables were small is kept, and must look rows up by their keys.
  select * into fault from (
    select fresh.transfer_id, sum(fresh.amount_pence) as total,
      bool_and(fresh.xact_id = pg_current_xact_id()) and
        (select transfer.xact_id from ledger_transfers transfer where transfer.id = fresh.transfer_id) = pg_current_xact_id() as is_open,
      bool_and((select 1 from ledger_accounts account where account.id = fresh.account_id) is not null) as is_housed,
      bool_and(fresh.xact_id >= (select folded_below from ledger_watermark)) as is_above
    from fresh group by fresh.transfer_id
  ) added
  where total <> 0 or is_open is not true or not is_housed or not is_above
  limit 1;
  if not found then return null; end if;
  if not fault.is_above then
    -- After a restore into a new cluster transaction ids start again: then totals must be rebuilt before anything is posted.
    raise exception 'ledger totals are ahead of this database: run the ledger check with --rebuild first'
      using errcode = 'object_not_in_prerequisite_state';
  elsif fault.is_open is not true then
    raise exception 'transfer % is closed: its entries are written in the transaction that made it', fault.transfer_id
      using errcode = 'restrict_violation';
  elsif not fault.is_housed then
    raise exception 'an entry of transfer % names a ledger account that does not exist', fault.transfer_id
      using errcode = 'foreign_key_violation';
  end if;
  raise exception 'transfer % does not balance: its entries sum to % pence', fault.transfer_id, fault.total
    using errcode = 'check_violation';
end $$;
create trigger ledger_entries_sound after insert on ledger_entries
  referencing new table as fresh for each statement execute function check_ledger_entries();

-- And once more at commit, for every transfer as a whole.
create function check_ledger_transfer() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  legs integer;
  total numeric;
begin
  select count(*), sum(amount_pence) into legs, total from ledger_entries where transfer_id = new.id;
  if legs < 2 then
    raise exception 'transfer % has % entries: money comes from somewhere and goes somewhere', new.id, legs using errcode = 'check_violation';
  elsif total <> 0 then
    raise exception 'transfer % does not balance: its entries sum to % pence', new.id, total using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_transfers_balance after insert on ledger_transfers
  deferrable initially deferred for each row execute function check_ledger_transfer();

-- Posts a transfer once per key and opens accounts as they are first used. Gives false when the key is taken. The arrays hold the legs.
create function post_ledger_transfer(
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
