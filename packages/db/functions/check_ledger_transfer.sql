-- Checks each new transfer as a whole at commit (C4): at least two entries, which sum to zero.
create or replace function check_ledger_transfer() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  legs integer;
  total numeric;
begin
  select count(*), sum(amount_pence) into legs, total from ledger_entries where transfer_id = new.id;
  if legs < 2 then
    raise exception 'transfer % has % entries: it needs at least two', new.id, legs
      using errcode = 'check_violation';
  elsif total <> 0 then
    raise exception 'transfer % does not balance: its entries sum to % pence', new.id, total
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
