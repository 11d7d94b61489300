-- Registration asks whether an address that was removed can still be taken back (S1).
create index member_tokens_undo on member_tokens (brand_id, email) where purpose = 'undo-email-change' and used_at is null;
