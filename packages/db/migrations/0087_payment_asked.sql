-- When the network was last asked whether it has paid for the sale (C2). What it leaves out, or doesn't answer, is asked for again after the others.
alter table network_transactions add column payment_asked_at timestamptz;

-- Of the words of packages/core/networks/queries.server.ts, as the index before it was.
drop index network_transactions_unpaid;
create index network_transactions_unpaid on network_transactions ((greatest(observed_at, payment_asked_at)))
  where status = 'approved' and not paid_to_publisher;
