/** The steps that create the sandbox's tables. Steps are only added, never changed. Times are milliseconds since 1970. */
export const schemaSteps: readonly string[] = [
  `
  create table clicks (
    awc text primary key,
    advertiser_id integer not null,
    publisher_id integer not null,
    click_ref text,
    more_click_refs text not null default '{}',
    campaign text,
    wanted_url text,
    landing_url text not null,
    ip text,
    user_agent text,
    referrer text,
    note text,
    clicked_at integer not null
  ) strict;
  create index clicks_by_time on clicks (clicked_at);

  create table transactions (
    id integer primary key,
    advertiser_id integer not null,
    advertiser_name text not null,
    publisher_id integer not null,
    awc text,
    click_ref text,
    more_click_refs text not null default '{}',
    campaign text,
    order_ref text not null,
    status text not null check (status in ('pending', 'approved', 'declined', 'deleted')),
    sale_pence integer not null,
    commission_pence integer not null,
    currency text not null,
    parts text not null,
    products text not null default '[]',
    voucher_code text,
    device text not null default 'Windows',
    ip text,
    referrer text,
    clicked_at integer not null,
    transacted_at integer not null,
    validated_at integer,
    amended_at integer,
    decline_reason text,
    amend_reason text,
    old_sale_pence integer,
    old_commission_pence integer,
    paid_to_publisher integer not null default 0,
    payment_id integer not null default 0
  ) strict;
  create index transactions_by_time on transactions (transacted_at);
  create index transactions_by_validation on transactions (validated_at);
  create index transactions_by_amendment on transactions (amended_at);
  create index transactions_by_order on transactions (order_ref);

  create table pushes (
    id integer primary key autoincrement,
    transaction_id integer,
    kind text not null,
    body text not null,
    status text not null check (status in ('held', 'waiting', 'delivered', 'failed')),
    due_at integer not null,
    attempts integer not null default 0,
    http_status integer,
    outcome text,
    created_at integer not null,
    finished_at integer
  ) strict;
  create index pushes_due on pushes (status, due_at, id);

  create table settings (name text primary key, value text not null) strict;

  create table baskets (
    id text not null,
    shop text not null,
    lines text not null,
    voucher_code text,
    updated_at integer not null,
    primary key (id, shop)
  ) strict;

  create table orders (
    order_ref text primary key,
    shop text not null,
    basket_id text not null,
    once_key text not null unique,
    lines text not null,
    goods_pence integer not null,
    discount_pence integer not null,
    total_pence integer not null,
    voucher_code text,
    currency text not null,
    transaction_id integer,
    placed_at integer not null
  ) strict;
  `,
  `
  create table messages (
    id integer primary key autoincrement,
    sender text not null,
    recipients text not null,
    subject text not null,
    plain_text text,
    html text,
    headers text not null,
    raw blob not null,
    received_at integer not null
  ) strict;
  `,
  `
  drop table pushes;
  create table deliveries (
    id integer primary key autoincrement,
    channel text not null,
    subject text,
    kind text not null,
    body text not null,
    status text not null check (status in ('held', 'waiting', 'delivered', 'failed')),
    due_at integer not null,
    attempts integer not null default 0,
    http_status integer,
    outcome text,
    created_at integer not null,
    finished_at integer
  ) strict;
  create index deliveries_due on deliveries (channel, status, due_at, id);
  `,
  `
  create table card_objects (
    id text primary key,
    object text not null,
    customer text,
    intent text,
    body text not null,
    hidden text not null default '{}'
  ) strict;
  create index card_objects_by_kind on card_objects (object, customer);
  create index card_objects_by_intent on card_objects (intent, object);

  create table card_requests (
    key text primary key,
    fingerprint text not null,
    status integer not null,
    body text not null,
    answered_at integer not null
  ) strict;
  `,
  `
  alter table orders add column delivery_pence integer not null default 0;
  alter table orders add column vat_pence integer not null default 0;
  alter table orders add column counted_pence integer not null default 0;
  update orders set counted_pence = total_pence;
  `,
  `
  alter table clicks add column network text not null default 'awin';
  alter table transactions add column network text not null default 'awin';
  alter table transactions add column kind text not null default 'sale';
  alter table transactions add column paid_at integer;
  alter table transactions add column changed_at integer not null default 0;
  update transactions set changed_at = max(transacted_at, coalesce(validated_at, 0), coalesce(amended_at, 0));
  create index transactions_by_change on transactions (network, changed_at);

  -- Everything that happened to a transaction, for networks that report changes as rows of their own. Amounts are those after it.
  create table transaction_events (
    id integer primary key autoincrement,
    transaction_id integer not null,
    network text not null,
    kind text not null,
    sale_pence integer not null,
    commission_pence integer not null,
    sale_difference integer not null,
    commission_difference integer not null,
    reason text,
    happened_at integer not null
  ) strict;
  create index transaction_events_by_time on transaction_events (network, happened_at);
  create index transaction_events_by_transaction on transaction_events (transaction_id);
  `,
  `
  create table issuer_cards (
    client_reference text primary key,
    reference text not null unique,
    brand text not null,
    face_pence integer not null,
    cost_pence integer not null,
    ready_at integer not null,
    code text not null,
    pin text not null,
    expires_on text,
    placed_at integer not null,
    reversed_at integer,
    left_pence integer not null,
    orders integer not null
  ) strict;
  `,
];
