-- Telemetry (T1-T3, T7): what visitors who agreed do on the pages, kept for some months, and its sums, which reports read.

-- One row for each event. Partitions of one UTC day are made and dropped by a job of the worker.
create table telemetry_events (
  id             uuid not null,                            -- the server's, or from the sender's eventId: stored once
  received_on    date not null,                            -- the UTC day of received_at
  received_at    timestamptz not null,                     -- the server's clock
  -- The transaction that wrote it, plus the offset of telemetry_watermark: what sums and copies read in order.
  recorded_in    bigint not null,
  brand_id       uuid not null,                            -- no foreign keys: they would cost each insert more than they are worth
  event_type     text not null check (event_type in ('OfferPage', 'SearchPage', 'RetailerPage', 'CategoryPage', 'OfferRedeemed')),
  user_id        text,                                     -- a pseudonym (telemetryUserId), never a member's id
  session_id     text not null,
  affinity_id    text not null,
  subject        text not null,                            -- OfferId, SearchTerm, retailerName or categoryId
  page_loaded_at timestamptz,                              -- timestampPageLoad: the visitor's clock
  extra_fields   jsonb,                                    -- additionalFields that are not of the event's type
  primary key (id, received_on)
) partition by list (received_on);
-- Rows lie in the order of their transactions, almost: a few kilobytes of index find the new ones.
create index telemetry_events_recorded on telemetry_events using brin (recorded_in) with (pages_per_range = 16, autosummarize = on);

-- How far events were added to the sums: all with recorded_in below it.
create table telemetry_watermark (
  only_row       boolean primary key default true check (only_row),
  summed_below   bigint not null default 0,
  -- Added to transaction ids; raised when the database was restored into a server whose transactions are younger.
  xact_offset    bigint not null default 0,
  -- Events received on days before this were dropped: their sums can't be rebuilt. Null: none were.
  kept_from      date
);
insert into telemetry_watermark default values;

-- Sums by day in London.
create table telemetry_days (
  brand_id   uuid not null references brands (id) on delete cascade,
  day        date not null,
  event_type text not null,
  events     bigint not null check (events >= 0),
  primary key (brand_id, day, event_type)
);
create table telemetry_offer_days (
  brand_id    uuid not null references brands (id) on delete cascade,
  day         date not null,
  offer_id    uuid not null references offers (id) on delete cascade,
  views       bigint not null check (views >= 0),
  redemptions bigint not null check (redemptions >= 0),
  primary key (brand_id, day, offer_id)
);
create table telemetry_search_days (
  brand_id uuid not null references brands (id) on delete cascade,
  day      date not null,
  term     text not null,                                  -- in lower case
  searches bigint not null check (searches > 0),
  primary key (brand_id, term, day)
);

create index telemetry_search_days_day on telemetry_search_days (day);

-- What a brand's search finds for a term that visitors typed, looked up by a job.
create table telemetry_search_results (
  brand_id   uuid not null references brands (id) on delete cascade,
  term       text not null,
  results    integer not null check (results >= 0),        -- retailers, categories and offers together
  checked_at timestamptz not null,
  primary key (brand_id, term)
);
create index telemetry_search_results_none on telemetry_search_results (brand_id) where results = 0;

-- Copies of the events in another database: how far each is, and the batch that is on its way.
create table telemetry_exports (
  sink           text primary key check (sink ~ '^[a-z]{1,20}$'),
  exported_below bigint not null default 0,
  batch_below    bigint,                                   -- null: no batch is planned
  batch_rows     integer check (batch_rows >= 0),
  leased_until   timestamptz not null default '-infinity',
  last_error     text,
  check ((batch_below is null) = (batch_rows is null))
);

-- Members whose events are to be deleted, because they left.
create table telemetry_erasures (
  id           uuid primary key,
  brand_id     uuid not null references brands (id) on delete cascade,
  member_id    uuid not null,
  requested_at timestamptz not null,
  -- Copies that hold the events of all transactions below this can be erased. Null: the events are still here.
  erased_below bigint
);
create index telemetry_erasures_requested on telemetry_erasures (requested_at);
create index telemetry_erasures_member on telemetry_erasures (member_id);

-- Sums of what the club itself knows, by day in London of the click or the reveal.
create table report_offer_days (
  brand_id       uuid not null references brands (id) on delete cascade,
  day            date not null,
  offer_id       uuid,                                     -- null: clicks on a retailer
  reveals        bigint not null check (reveals >= 0),
  clicks         bigint not null check (clicks >= 0),
  tracked        bigint not null check (tracked >= 0),     -- clicks that a purchase was tracked for
  confirmed      bigint not null check (confirmed >= 0),   -- clicks whose purchase the retailer confirmed
  sale_pence     bigint not null,                          -- of purchases that are not declined
  cashback_pence bigint not null,
  unique nulls not distinct (brand_id, day, offer_id)
);
create table report_watermark (
  only_row    boolean primary key default true check (only_row),
  summed_until timestamptz                                 -- null: nothing was summed
);
insert into report_watermark default values;

-- Rows of a day, without an index entry for each.
create index clicks_created on clicks using brin (created_at) with (pages_per_range = 32, autosummarize = on);
create index code_reveals_revealed on code_reveals using brin (revealed_at) with (pages_per_range = 32, autosummarize = on);
