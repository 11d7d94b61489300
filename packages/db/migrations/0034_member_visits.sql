-- The club's own page frames the gift-card portal as a partner does (G1, decision 041): through a partner of its own, the
-- only one whose visitors can be members.

--!include check_member_visit.sql

-- The club itself. It is made by the server, not by an operator.
alter table partners add column is_house boolean not null default false;
create unique index partners_one_house on partners (is_house) where is_house;

-- The login of the member that a token was minted for; null: a visitor. A token of a login that ended opens nothing.
alter table partner_tokens
  add column member_session_id uuid references member_sessions (id) on delete cascade;
create index partner_tokens_member_session on partner_tokens (member_session_id) where member_session_id is not null;
create trigger partner_tokens_member before insert or update of partner_id, member_session_id on partner_tokens
  for each row when (new.member_session_id is not null) execute function check_member_visit();

-- The member in the frame; null: a visitor. The visit ends with the login it came from, and so with everything that ends
-- logins: signing out, a suspension, a new password.
alter table widget_sessions
  add column member_id uuid references members (id) on delete cascade,
  add column member_session_id uuid references member_sessions (id) on delete set null,
  add constraint widget_sessions_member check (member_session_id is null or member_id is not null);
create index widget_sessions_member_id on widget_sessions (member_id) where member_id is not null;
create index widget_sessions_member_session on widget_sessions (member_session_id) where member_session_id is not null;
create trigger widget_sessions_member before insert or update of partner_id, member_id on widget_sessions
  for each row when (new.member_id is not null) execute function check_member_visit();
