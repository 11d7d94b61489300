-- The queues of the operators' admin (docs/admin.md): each list and each count of what waits reads an index.

-- Claims by what is due next. packages/core/claims/deadline.ts has the same expression and the days.
create index claims_deadline on claims ((case state
    when 'waiting' then closes_at at time zone 'UTC'
    when 'open' then closes_at at time zone 'UTC'
    when 'incomplete' then (changed_at at time zone 'UTC') + interval '30 days'
    when 'filed' then (changed_at at time zone 'UTC') + interval '45 days'
    when 'accepted' then (changed_at at time zone 'UTC') + interval '120 days'
    else timestamp 'infinity' end), id);
create index claims_made on claims (made_at, id);
create index claims_state on claims (state, made_at, id);
create index claims_for_person on claims (made_at, id)
  where (awaits_pack or given_up_at is not null) and state in ('waiting', 'incomplete', 'open', 'filed', 'accepted');
