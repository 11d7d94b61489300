-- A member has at most one valid code of an offer or variant (O4), and any number of void ones. It comes before the index that it replaces is
-- dropped, so that the version before is never without one.
create unique index offer_codes_one_valid_per_member on offer_codes (offer_id, coalesce(variant_id, offer_id), member_id)
  where member_id is not null and voided_at is null;
drop index offer_codes_one_per_member;
