-- Mails to people who are not members go sooner than members' (packages/core/mails/outbox.server.ts). This finds the settled ones. An index of a
-- large table, so in a migration of its own (docs/operations/upgrading.md).
create index mails_of_no_member on mails (settled_at) where member_id is null and settled_at is not null;
