-- The queues of the operators' admin (docs/admin.md): each list and each count of what waits reads an index.

-- Claims by what is due next. packages/core/claims/deadline.ts has the same expression and the days.
create index claims_deadline on claims ((case state
    when 'waiting' then closes_at at time zone 'UTC'
    when 'open' then closes_at at time zone 'UTC'
    when 'incomplete' then (changed_at at time zone 'UTC') + interval '30 days'
    when 'filed' then (changed_at at time zone 'UTC') + interval '45 days'
    when 'accepted' then (changed_at at time zone 'UTC') + interval '120 days'
    else timestamp 'infinity' end), id);
create index claims_made on claims (made_at, id);
create index claims_state on claims (state, made_at, id);
create index claims_for_person on claims (made_at, id)
  where (awaits_pack or given_up_at is not null) and state in ('waiting', 'incomplete', 'open', 'filed', 'accepted');

-- Work that was given up and that a person has dropped: nothing more is to be done about it.
create table dropped_work (
  queue      text not null check (queue ~ '^[a-z]+(_[a-z]+)*$'),  -- its table
  work_id    uuid not null,
  dropped_by text not null check (length(dropped_by) between 1 and 100),
  dropped_at timestamptz not null,
  primary key (queue, work_id)
);

-- Background work that was given up, by queue.
create index mails_given_up on mails (id) where state = 'given-up';
create index password_reset_requests_given_up on password_reset_requests (id) where given_up_at is not null;
create index partner_webhook_deliveries_given_up on partner_webhook_deliveries (id)
  where next_try_at is null and delivered_at is null;
create index network_events_given_up on network_events (id) where status = 'unconfirmed';
create index payment_refunds_given_up on payment_refunds (id) where next_try_at is null and state = 'asked';
create index claims_given_up on claims (id) where given_up_at is not null;

-- Background work that failed and waits for another attempt: few rows of large tables.
create index mails_failing on mails (next_try_at) where state = 'waiting' and last_error is not null;
create index password_reset_requests_failing on password_reset_requests (next_try_at)
  where given_up_at is null and last_error is not null;
create index partner_webhook_deliveries_failing on partner_webhook_deliveries (next_try_at)
  where next_try_at is not null and last_error is not null;
create index network_events_failing on network_events (next_attempt_at) where status = 'received' and last_error is not null;
create index payment_refunds_failing on payment_refunds (next_try_at) where next_try_at is not null and last_error is not null;
create index payment_fees_failing on payment_fees (next_read_at) where next_read_at is not null and last_error is not null;
create index cashback_watches_failing on cashback_watches (next_look_at) where last_error is not null;
create index claims_failing on claims (next_step_at)
  where given_up_at is null and not awaits_pack and state in ('waiting', 'incomplete', 'open', 'filed', 'accepted')
    and last_error is not null;
create index referral_watches_failing on referral_watches (next_look_at) where last_error is not null;
create index gift_card_lines_failing on gift_card_lines (next_step_at)
  where next_step_at is not null and last_error is not null;
create index gift_card_presents_failing on gift_card_presents (next_step_at)
  where next_step_at is not null and last_error is not null;
create index wallet_cards_failing on wallet_cards (next_notice_at) where next_notice_at is not null and last_error is not null;

-- Gift cards: lines by state, and those that a person looks at.
create index gift_card_lines_state on gift_card_lines (state, id);
create index gift_card_lines_for_person on gift_card_lines (id)
  where state = 'held' or (state in ('issuing', 'reversing', 'refunding') and attempts > 5)
    or (state in ('refunded', 'charged_back') and card_state = 'possible');
create index gift_card_products_name on gift_card_products (lower(name), id);

-- Referrals, those that are held, and sales that are credited to nobody.
create index referrals_registered on referrals (registered_at, id);
create index referral_holds_open_placed on referral_holds (placed_at, id) where decision is null;
create index network_transactions_held_created on network_transactions (created_at, id) where held_because is not null;
