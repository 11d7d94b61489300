-- When a code or an offer is demoted and when operators are alerted, as data (A2, A3). core/thresholds/rules.ts says what each
-- threshold does, with its default and range; a threshold without a row, or without a value, has its default.

--!include raise_version.sql
--!include tell_of_site_content.sql

create table thresholds (
  threshold_key text primary key check (threshold_key ~ '^[a-z][a-z-]{1,39}$'),
  -- Of the whole club; null: the default. No range here: the ranges may change, and readers pass over what is out of range.
  club_value    integer,
  -- { "<brand's slug>": value }, of brands that differ from the club.
  brand_values  jsonb not null default '{}'::jsonb check (jsonb_typeof(brand_values) = 'object'),
  version       integer not null default 1,
  updated_at    timestamptz not null
);
create trigger thresholds_version before update on thresholds for each row when (old.* is distinct from new.*) execute function raise_version();
create trigger thresholds_told after insert or update or delete on thresholds for each statement execute function tell_of_site_content();

-- How often a gift card may fail before it waits for a person is a threshold now: the index has every line that has failed.
drop index gift_card_lines_for_person;
create index gift_card_lines_for_person on gift_card_lines (id)
  where state = 'held' or (state in ('issuing', 'reversing', 'refunding') and attempts > 0)
    or (state in ('refunded', 'charged_back') and card_state = 'possible');
