-- The gift-card portal (G2): addresses and categories of products, baskets of widget sessions, presents, and when a card
-- was first shown. docs/gift-cards.md explains the portal.

--!include name_gift_card_products.sql

alter table gift_card_products
  -- Its page's address, made from the name once: links to it stay good.
  add column slug text not null unique default gen_random_uuid()::text
    check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 100),
  -- The retailer that it is spent at, and its main category; null where the catalogue has none of that name.
  add column retailer_id uuid references retailers (id) on delete set null,
  add column category_id uuid references categories (id) on delete set null;
create index gift_card_products_retailer on gift_card_products (retailer_id) where retailer_id is not null;
create index gift_card_products_category on gift_card_products (category_id) where category_id is not null;

select name_gift_card_products();

alter table gift_card_lines
  -- A card as a present: who gets it, in which words, when (packages/core/gift-cards/gift.ts). Its code is not the buyer's.
  add column gift jsonb check (jsonb_typeof(gift) = 'object' and length(gift::text) <= 4000),
  -- When its code was first shown to its owner.
  add column first_shown_at timestamptz;

-- What a visitor of the portal has chosen. It ends with the widget session.
create table gift_card_baskets (
  session_id uuid primary key references widget_sessions (id) on delete cascade,
  -- Counts changes: the buyer pays for what the page has shown, or is told that it has changed.
  version    integer not null default 0 check (version >= 0),
  -- The order of exactly this version; null where the basket has changed since.
  order_id   uuid references gift_card_orders (id)
);

create table gift_card_basket_lines (
  id          uuid primary key,
  public_id   text not null unique default random_public_id(),
  session_id  uuid not null references gift_card_baskets (session_id) on delete cascade,
  -- The maximum of an order (LIMITS.orderLines).
  line_number integer not null check (line_number between 1 and 10),
  product_id  uuid not null references gift_card_products (id),
  face_pence  bigint not null check (face_pence between 1 and 50000),
  gift        jsonb check (jsonb_typeof(gift) = 'object' and length(gift::text) <= 4000),
  unique (session_id, line_number)
);
create index gift_card_basket_lines_product on gift_card_basket_lines (product_id);
