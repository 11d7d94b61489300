-- Checks each statement that writes ledger entries, at once (C4): the accounts exist, the transfer was made in this
-- transaction, and the entries of each transfer sum to zero. One check per statement costs a fraction of one per entry
-- (bench/ledger). It stands in for foreign keys as well, which would lock the row of a busy account or transfer.
create or replace function check_ledger_entries() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  fault record;
begin
  -- Scalar subqueries and no sequential scans: a plan made while the tables were small is kept, and must look rows up
  -- by key.
  select * into fault from (
    select fresh.transfer_id, sum(fresh.amount_pence) as total,
      bool_and(fresh.xact_id = pg_current_xact_id()) and
        (select transfer.xact_id from ledger_transfers transfer
          where transfer.id = fresh.transfer_id) = pg_current_xact_id() as is_open,
      bool_and((select 1 from ledger_accounts account where account.id = fresh.account_id) is not null) as is_housed,
      bool_and(fresh.xact_id >= (select folded_below from ledger_watermark)) as is_above
    from fresh group by fresh.transfer_id
  ) added
  where total <> 0 or is_open is not true or not is_housed or not is_above
  limit 1;
  if not found then return null; end if;
  if not fault.is_above then
    -- A restore into a new cluster restarts transaction ids: totals must be rebuilt before anything is posted.
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
