-- Money by day, for the reports of the admin (T7), and what operators read of partners' usage.

-- Sums of ledger entries of each day in London, by the brand of the member in the transfer (null: no member), kind of transfer and kind of account.
-- The ledger is only added to, so entries are added once, by transaction id (packages/core/reports/money-sums.server.ts).
create table report_money_days (
  day           date not null,
  brand_id      uuid references brands (id) on delete cascade,
  transfer_kind text not null,
  account_kind  text not null,
  pence         bigint not null,
  transfers     bigint not null check (transfers > 0),
  unique nulls not distinct (day, brand_id, transfer_kind, account_kind)
);
create table report_money_watermark (
  only_row     boolean primary key default true check (only_row),
  summed_below xid8 not null default '0'                   -- all entries of earlier transactions are in the sums
);
insert into report_money_watermark default values;

-- A partner's payments and deliveries of a range of days, from the index alone.
create index payments_of_partner_by_day on payments (partner_id, mode, created_at) include (state, amount_pence, refunded_pence);
create index partner_webhook_deliveries_by_day on partner_webhook_deliveries (webhook_id, created_at) include (delivered_at, next_try_at);
