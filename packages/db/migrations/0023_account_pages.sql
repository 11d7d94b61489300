-- The pages of an account read one page of a history, whatever its length (C3).

-- The order of a member's history, which ends in the id so that no two entries share a place.
create index cashback_entries_history on cashback_entries (member_id, purchased_at desc, id desc);
drop index cashback_entries_member;

-- Whether a click has led to a purchase.
create index cashback_entries_click on cashback_entries (click_id);
