-- An order that is paid once, however many sessions its partner opens for it (W10), and payments that are cancelled before the card provider
-- has them.

alter table partner_tokens
  add column once_per_reference boolean not null default false,
  add constraint partner_tokens_once check (not once_per_reference or amount_pence is not null) not valid;
alter table widget_sessions
  add column once_per_reference boolean not null default false,
  add constraint widget_sessions_once check (not once_per_reference or amount_pence is not null) not valid;

-- Wider than before: a payment whose secret nobody was given can be cancelled without the card provider.
alter table payments
  drop constraint payments_check1,
  add constraint payments_check1 check (state in ('created', 'cancelled') or provider_payment_id is not null) not valid;
