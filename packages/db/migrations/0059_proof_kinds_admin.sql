-- What counts as proof of membership is the operators' (M4, A2): versions against stale saves, and an index that counts what
-- was sent of a kind.

--!include raise_version.sql

alter table proof_kinds add column version integer not null default 1;
create trigger proof_kinds_version before update on proof_kinds for each row when (old.* is distinct from new.*) execute function raise_version();

create index verification_requests_proof_kind on verification_requests (proof_kind_id) where proof_kind_id is not null;
