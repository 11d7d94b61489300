-- Records the deletion of an attachment, however the row is deleted (M4, C7).
create or replace function record_attachment_deletion() returns trigger language plpgsql as $$
begin
  insert into attachment_deletions
    (attachment_id, request_id, claim_id, brand_id, member_id, sha256, size, received_at, why, deleted_at)
  values (old.id, old.request_id, old.claim_id, old.brand_id, old.member_id, old.sha256, old.size, old.received_at,
          coalesce(old.deleted_why, 'account-closed'), coalesce(old.deleted_at, now()));
  return old;
end $$;
