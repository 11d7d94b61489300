-- Brands and settings in the admin (B5, A2): own colours, versions against stale saves, and word to all processes of what
-- pages show.

--!include raise_version.sql

-- A brand's own colours over its theme's: { header, hero, action, accent }, each { ground, text }; own-colours.ts.
alter table brands
  add column colours jsonb not null default '{}'::jsonb check (jsonb_typeof(colours) = 'object');

alter table brands add column version integer not null default 1;
create trigger brands_version before update on brands for each row when (old.* is distinct from new.*) execute function raise_version();
alter table legal_pages add column version integer not null default 1;
create trigger legal_pages_version before update on legal_pages for each row when (old.* is distinct from new.*) execute function raise_version();
alter table faqs add column version integer not null default 1;
create trigger faqs_version before update on faqs for each row when (old.* is distinct from new.*) execute function raise_version();
alter table member_types add column version integer not null default 1;
create trigger member_types_version before update on member_types for each row when (old.* is distinct from new.*) execute function raise_version();

create trigger brands_told after insert or update or delete on brands for each statement execute function tell_of_site_content();
create trigger brand_hosts_told after insert or update or delete on brand_hosts for each statement execute function tell_of_site_content();
create trigger brand_member_types_told after insert or update or delete on brand_member_types for each statement execute function tell_of_site_content();
create trigger legal_pages_told after insert or update or delete on legal_pages for each statement execute function tell_of_site_content();
create trigger faq_categories_told after insert or update or delete on faq_categories for each statement execute function tell_of_site_content();
create trigger faqs_told after insert or update or delete on faqs for each statement execute function tell_of_site_content();
create trigger member_types_told after insert or update or delete on member_types for each statement execute function tell_of_site_content();
create trigger member_statuses_told after insert or update or delete on member_statuses for each statement execute function tell_of_site_content();
create trigger job_categories_told after insert or update or delete on job_categories for each statement execute function tell_of_site_content();
create trigger job_roles_told after insert or update or delete on job_roles for each statement execute function tell_of_site_content();
create trigger additional_fields_told after insert or update or delete on additional_fields for each statement execute function tell_of_site_content();
