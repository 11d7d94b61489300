-- Makes every web process forget its pages and brands, which would show what was there before; once for each commit.
create or replace function tell_of_site_content() returns trigger language plpgsql as $$
begin
  perform pg_notify('site_content', '');
  return null;
end $$;
