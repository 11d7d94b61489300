-- Deliveries that wait for an endpoint that was disabled before disabling gave them up (W10): nobody took them, and their queue counted as late for
-- ever. There are few: the events of the last day before each was disabled.
with given_up as (
  update partner_webhook_deliveries delivery set next_try_at = null, last_error = 'The endpoint was disabled.'
  from partner_webhooks webhook
  where webhook.id = delivery.webhook_id and webhook.disabled_at is not null and delivery.next_try_at is not null
  returning delivery.id
)
insert into dropped_work (queue, work_id, dropped_by, dropped_at)
select 'partner_webhook_deliveries', id, 'disabling its endpoint', now() from given_up on conflict do nothing;
