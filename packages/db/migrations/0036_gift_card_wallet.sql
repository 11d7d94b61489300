-- The wallet (G6): what a member notes of a gift card, the devices that have shown it, and cards that are given away.

--!include check_gift_card_present_change.sql

-- Whether the sale was stopped because the retailer is insolvent: owners of unused cards are told.
alter table gift_card_products
  add column is_insolvent boolean not null default false,
  add constraint gift_card_products_insolvent check (not is_insolvent or stopped_at is not null);

-- One row for each card that was issued to a member.
create table wallet_cards (
  line_id            uuid primary key references gift_card_lines (id),
  brand_id           uuid not null,
  member_id          uuid not null,
  -- The member's own mark.
  used_at            timestamptz,
  -- What the issuer said is left, and when.
  left_pence         bigint check (left_pence >= 0),
  left_read_at       timestamptz,
  -- The last reminder of the expiry, in days before it.
  reminded_days      integer check (reminded_days in (30, 7)),
  insolvency_told_at timestamptz,
  -- The queue of notices; null: nothing to tell.
  next_notice_at     timestamptz,
  attempts           integer not null default 0,
  last_error         text check (length(last_error) <= 500),
  check ((left_pence is null) = (left_read_at is null)),
  constraint wallet_cards_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index wallet_cards_member on wallet_cards (member_id);
create index wallet_cards_due on wallet_cards (next_notice_at) where next_notice_at is not null;

insert into wallet_cards (line_id, brand_id, member_id, next_notice_at)
select line.id, orders.brand_id, orders.member_id, now()
from gift_card_lines line
  join gift_card_orders orders on orders.id = line.order_id
  join members member on member.id = orders.member_id and member.closed_at is null
where line.state = 'issued';

-- What a member has spent with a card, as they noted it.
create table gift_card_spends (
  id           uuid primary key,
  line_id      uuid not null references gift_card_lines (id),
  brand_id     uuid not null,
  member_id    uuid not null,
  amount_pence bigint not null check (amount_pence > 0),
  note         text check (length(note) between 1 and 100),
  noted_at     timestamptz not null,
  constraint gift_card_spends_member_of_brand foreign key (member_id, brand_id) references members (id, brand_id) on delete cascade
);
create index gift_card_spends_line on gift_card_spends (line_id, noted_at);

-- The sessions that have shown a card's code: they show it again without a password. Deleted with the session.
create table gift_card_devices (
  line_id    uuid not null references gift_card_lines (id),
  session_id uuid not null references member_sessions (id) on delete cascade,
  shown_at   timestamptz not null,
  primary key (line_id, session_id)
);
create index gift_card_devices_session on gift_card_devices (session_id);

-- A card that is given to somebody, who opens it without an account, once. Name, address and message belong to a person
-- who is not a member; they are removed some time after the present has ended.
create table gift_card_presents (
  id              uuid primary key,
  public_id       text not null unique default random_public_id(),
  line_id         uuid not null references gift_card_lines (id),
  -- The club whose site shows it.
  brand_id        uuid not null references brands (id),
  state           text not null check (state in ('planned', 'sent', 'bounced', 'opened', 'taken_back')),
  version         integer not null default 1 check (version >= 1),
  giver_name      text not null check (length(giver_name) between 1 and 200),
  recipient_name  text check (length(recipient_name) between 1 and 60),
  recipient_email text check (length(recipient_email) between 3 and 254),
  message         text check (length(message) <= 500),
  design          text not null check (design in ('birthday', 'thanks', 'celebration', 'plain')),
  -- A day in London.
  send_on         date not null,
  -- Whether the giver had seen the code when the present was made.
  was_seen        boolean not null,
  -- How often it was handed to the outbox.
  sends           integer not null default 0 check (sends between 0 and 5),
  -- The hash of the link's token, and of the cookie of the browser that opened it.
  token_hash      bytea unique check (length(token_hash) = 32),
  opener_hash     bytea check (length(opener_hash) = 32),
  mail_id         uuid,
  made_at         timestamptz not null,
  sent_at         timestamptz,
  opened_at       timestamptz,
  taken_back_at   timestamptz,
  -- The queue: sending, and looking whether the mail has left; null: nothing.
  next_step_at    timestamptz,
  attempts        integer not null default 0,
  last_error      text check (length(last_error) <= 500),
  check ((state = 'opened') = (opened_at is not null and opener_hash is not null)),
  check ((state = 'taken_back') = (taken_back_at is not null)),
  check (state not in ('sent', 'bounced', 'opened') or token_hash is not null),
  check (state not in ('planned', 'sent', 'bounced') or (recipient_name is not null and recipient_email is not null and message is not null))
);
-- A card is given to one person at a time.
create unique index gift_card_presents_line on gift_card_presents (line_id) where state <> 'taken_back';
create index gift_card_presents_due on gift_card_presents (next_step_at) where next_step_at is not null;
create trigger gift_card_presents_lifecycle before update on gift_card_presents
  for each row execute function check_gift_card_present_change();
