-- Operators find a visitor's gift cards by the address that the partner gave (A3). On its own, because the table may be large.
create index widget_sessions_email on widget_sessions (lower(email)) where email is not null;
