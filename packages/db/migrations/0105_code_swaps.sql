-- Codes that members swapped (O4): a code of a pool that was of no use to its member is void, and the member has another.

-- When it was made void. It stays the member's, so that nobody is ever given it again. Null: valid.
alter table offer_codes add column voided_at timestamptz;

create table code_swaps (
  id         uuid primary key,
  member_id  uuid not null references members (id) on delete cascade,
  offer_id   uuid not null references offers (id) on delete cascade,
  -- A code is swapped once, however often the form is sent, and a code comes from one swap.
  voided_code_id uuid not null unique references offer_codes (id) on delete cascade,
  new_code_id    uuid not null unique references offer_codes (id) on delete cascade,
  reason     text not null check (reason in ('cancelled', 'refused', 'lost')),
  -- True: an operator swapped it. Their name is in the log.
  is_by_club boolean not null,
  swapped_at timestamptz not null
);
create index code_swaps_member on code_swaps (member_id, offer_id, swapped_at desc);
create index code_swaps_offer on code_swaps (offer_id, swapped_at desc);
