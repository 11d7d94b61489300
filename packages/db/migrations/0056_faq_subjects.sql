-- Subjects of questions are the operators' (M8, A2): for every brand, or for one. A brand's subject replaces the shared one of the
-- same slug there: its name, its place, whether it is hidden.

--!include raise_version.sql

alter table faq_categories
  -- Not brand_id: the version before joins this table with faqs and says brand_id alone.
  add column own_brand_id uuid references brands (id) on delete cascade,
  -- The page and the search leave a hidden one out; its address stays for links that lead to it.
  add column is_hidden boolean not null default false,
  add column version integer not null default 1;
alter table faq_categories drop constraint faq_categories_slug_key;
alter table faq_categories add constraint faq_categories_one_each unique nulls not distinct (own_brand_id, slug);
create trigger faq_categories_version before update on faq_categories for each row when (old.* is distinct from new.*) execute function raise_version();

-- No questions go with a subject: they are moved first.
alter table faqs drop constraint faqs_category_id_fkey;
alter table faqs add constraint faqs_category_id_fkey foreign key (category_id) references faq_categories (id);
