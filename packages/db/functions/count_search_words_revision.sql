-- Counts a change of the list of words, which processes keep in memory (kept-words.server.ts); once for each statement that changed a row. It is
-- counted here, so that a process of the version before counts too.
create or replace function count_search_words_revision() returns trigger language plpgsql as $$
begin
  if exists (select from changed) then
    update search_words_revision set revision = revision + 1;
  end if;
  return null;
end $$;
