-- Of the words of packages/core/networks/queries.server.ts. On its own, because the table may be large.
create index network_transactions_unasked on network_transactions ((greatest(observed_at, payment_asked_at)))
  where status = 'approved' and not paid_to_publisher;
