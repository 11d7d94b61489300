-- Mails about gift-card orders (G4): each is queued once, in the transaction that notes it here.

alter table gift_card_orders
  -- The number of refunded lines that the last receipt told of; null: no receipt was due yet.
  add column receipt_refunds integer check (receipt_refunds >= 0),
  -- When the buyer was told that a line waits long.
  add column delay_told_at timestamptz;

-- A visitor's address is kept with the session, which is deleted after 30 days. Without a fixed price it is the one that
-- the visitor gave at the checkout.
alter table widget_sessions
  drop constraint widget_sessions_price,
  add constraint widget_sessions_price check (amount_pence is not null and reference is not null or amount_pence is null and description is null);
