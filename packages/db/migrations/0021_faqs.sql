-- Frequently asked questions, in categories (M8). A question without a brand serves every brand that has no question of
-- the same slug. A question that names a feature is shown only where the brand has that feature switched on.

create table faq_categories (
  id       uuid primary key,
  slug     text not null unique check (slug ~ '^[a-z][a-z0-9-]{1,39}$'),
  name     text not null check (length(name) between 1 and 60),
  position integer not null
);

create table faqs (
  id          uuid primary key,
  category_id uuid not null references faq_categories (id) on delete cascade,
  brand_id    uuid references brands (id) on delete cascade,
  slug        text not null check (slug ~ '^[a-z0-9][a-z0-9-]{1,79}$'),
  question    text not null check (length(question) between 1 and 200),
  answer      text not null check (length(answer) between 1 and 10000),
  feature     text check (feature in ('telemetry', 'loginConfetti', 'carerMigration', 'appExclusive', 'giftCards')),
  position    integer not null,
  constraint faqs_one_each unique nulls not distinct (brand_id, slug)
);
create index faqs_category on faqs (category_id, position);
