-- Processes keep the list of words in memory (D2), and load it again when its revision has changed. A revision is seen with its words, because both
-- are committed at once.

--!include count_search_words_revision.sql
--!include tell_of_site_content.sql

create table search_words_revision (
  only_row boolean primary key default true check (only_row),
  revision bigint not null default 1
);
insert into search_words_revision default values;

create trigger search_words_added after insert on search_words referencing new table as changed
  for each statement execute function count_search_words_revision();
create trigger search_words_changed after update on search_words referencing new table as changed
  for each statement execute function count_search_words_revision();
create trigger search_words_removed after delete on search_words referencing old table as changed
  for each statement execute function count_search_words_revision();

create trigger search_words_revision_counted after update on search_words_revision
  for each statement execute function tell_of_site_content();
