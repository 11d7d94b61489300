-- For tables whose rows are evidence: they are written once, never changed and never removed. A correction is a new
-- row.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is refused: its rows are written once and corrected by new rows', lower(tg_op), tg_table_name
    using errcode = 'restrict_violation';
end $$;
