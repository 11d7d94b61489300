-- What each programme pays, as its cards read it (C5, D4). A card gathered its rates from a row for each tier and each boost, which took
-- a third of the time of a search. The triggers keep it; nothing else writes it.

--!include boosted_tiers.sql
--!include keep_programme_rates.sql

create table programme_rates (
  programme_id  uuid primary key references programmes (id) on delete cascade,
  tiers         json,               -- by position, as retailer-cards.server.ts reads them, without boosts; null: no rates
  boosted_until timestamptz         -- when the last boost ends; until then tiers are read with boosted_tiers. Null: none
);

create trigger rate_tiers_added after insert on rate_tiers referencing new table as new_rows
  for each statement execute function keep_programme_rates();
create trigger rate_tiers_changed after update on rate_tiers referencing old table as old_rows new table as new_rows
  for each statement execute function keep_programme_rates();
create trigger rate_tiers_removed after delete on rate_tiers referencing old table as old_rows
  for each statement execute function keep_programme_rates();
create trigger boosts_added after insert on boosts referencing new table as new_rows
  for each statement execute function keep_programme_rates();
create trigger boosts_changed after update on boosts referencing old table as old_rows new table as new_rows
  for each statement execute function keep_programme_rates();
create trigger boosts_removed after delete on boosts referencing old table as old_rows
  for each statement execute function keep_programme_rates();

insert into programme_rates (programme_id, tiers, boosted_until)
select t.programme_id, json_agg(json_build_array(t.label, t.basis, t.rate_kind, t.member_rate_bp, t.member_rate_pence, t.cap_pence, null) order by t.position, t.label),
  max((select max(b.ends_at) from boosts b where b.rate_tier_id = t.id))
from rate_tiers t group by t.programme_id;
