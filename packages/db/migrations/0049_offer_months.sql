-- Sums of offers by month (T7): what a report of the first offers of any range looks at, before it counts only those that can be among them.

-- An offer has at most this many in any part of the month.
create table telemetry_offer_months (
  brand_id    uuid not null references brands (id) on delete cascade,
  month       date not null check (extract(day from month) = 1),
  offer_id    uuid not null references offers (id) on delete cascade,
  views       bigint not null check (views >= 0),
  primary key (month, brand_id, offer_id)
);
insert into telemetry_offer_months (brand_id, month, offer_id, views)
  select brand_id, date_trunc('month', day)::date, offer_id, sum(views) from telemetry_offer_days group by 1, 2, 3;

create table report_offer_months (
  brand_id    uuid not null references brands (id) on delete cascade,
  month       date not null check (extract(day from month) = 1),
  offer_id    uuid not null,
  clicks      bigint not null check (clicks >= 0),
  primary key (month, brand_id, offer_id)
);
insert into report_offer_months (brand_id, month, offer_id, clicks)
  select brand_id, date_trunc('month', day)::date, offer_id, sum(clicks) from report_offer_days where offer_id is not null group by 1, 2, 3;

-- The days of some offers; also what the deletion of an offer looks for.
create index telemetry_offer_days_offer on telemetry_offer_days (offer_id, brand_id, day);
create index telemetry_offer_months_offer on telemetry_offer_months (offer_id);
-- These rows are deleted and written anew, never added to, so that the index can have what the report reads.
create index report_offer_days_offer on report_offer_days (offer_id, brand_id, day)
  include (reveals, clicks, tracked, confirmed, sale_pence, cashback_pence) where offer_id is not null;
-- The days of all brands, without those of other years. Columns that are added to are in no index, so that adding is cheap.
create index telemetry_offer_days_day on telemetry_offer_days (day);
create index telemetry_days_day on telemetry_days (day);
create index report_offer_days_day on report_offer_days (day);
