-- What else a brand has as data (product.md B3): who may join it, and its legal pages. Its colours come from its theme
-- (packages/db/seeds/theme-colours.json), so that a page and a mail can't disagree.

alter table brands
  add column registration jsonb not null                           -- { minimumAge, residence: ["GB", …] }
    default '{"minimumAge": 18, "residence": ["GB", "IM", "JE", "GG"]}'::jsonb;

-- Students may join at sixteen, as packages/db/seeds/brands.json says for new databases.
update brands set registration = jsonb_set(registration, '{minimumAge}', '16')
 where id in (select taken.brand_id from brand_member_types taken
                join member_types on member_types.id = taken.member_type_id
               where member_types.slug = 'student');

-- Terms, privacy and their like. A page without a brand is every brand's, unless the brand has one of the same slug; its text
-- names the brand by placeholders (packages/core/brands/legal-text.ts), so a new brand has all of them at once.
create table legal_pages (
  id         uuid primary key,
  brand_id   uuid references brands (id) on delete cascade,
  slug       text not null check (slug ~ '^[a-z][a-z0-9-]{1,39}$'),
  title      text not null check (length(title) between 1 and 80),
  summary    text not null check (length(summary) between 1 and 200), -- one sentence: what the page says
  body       text not null check (length(body) between 1 and 60000),
  position   integer not null,
  updated_on date not null,                                           -- shown to readers: the day its words changed
  constraint legal_pages_one_each unique nulls not distinct (brand_id, slug)
);
