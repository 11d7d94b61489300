-- Cashback entries (product.md C3): what a member earns from one network transaction, and where it stands.
create table cashback_entries (
  id                     uuid primary key,
  brand_id               uuid not null references brands (id),
  member_id              uuid not null references members (id),
  retailer_id            uuid not null references retailers (id),
  network_id             uuid not null references networks (id),
  click_id               uuid not null references clicks (id),
  network_transaction_id uuid not null references network_transactions (id),
  -- A purchase is open until it is payable; whatever the network changes afterwards comes as a correction.
  entry_kind             text not null check (entry_kind in ('purchase', 'correction')),
  state                  text not null check (state in ('tracked', 'confirmed', 'payable', 'paid', 'declined')),
  version                integer not null default 1 check (version >= 1),      -- one more with every change
  sale_pence             bigint not null,
  cashback_pence         bigint not null,                                      -- negative only in corrections
  commission_pence       bigint not null,
  reason_code            text,
  confirm_expected_from  timestamptz,
  confirm_expected_to    timestamptz,
  purchased_at           timestamptz not null,
  tracked_at             timestamptz,
  confirmed_at           timestamptz,
  payable_at             timestamptz,
  paid_at                timestamptz,
  declined_at            timestamptz,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  check (entry_kind = 'correction' or (cashback_pence >= 0 and tracked_at is not null)),
  check (entry_kind = 'purchase' or state in ('payable', 'paid')),
  check (confirm_expected_to >= confirm_expected_from),
  check (state <> 'confirmed' or confirmed_at is not null),
  check (state <> 'payable' or payable_at is not null),
  check (state <> 'paid' or (payable_at is not null and paid_at is not null)),
  check (state <> 'declined' or declined_at is not null)
);
create unique index cashback_entries_one_purchase on cashback_entries (network_transaction_id) where entry_kind = 'purchase';
create index cashback_entries_transaction on cashback_entries (network_transaction_id);
create index cashback_entries_member on cashback_entries (member_id, purchased_at desc);
create index cashback_entries_payable on cashback_entries (member_id) where state = 'payable';

-- The lifecycle, the same pairs as in core/cashback/rules.ts. Amounts are fixed from payable on.
create function check_cashback_change() returns trigger language plpgsql as $$
begin
  if old.state <> new.state and (old.state, new.state) not in (
    ('tracked', 'confirmed'), ('tracked', 'declined'), ('confirmed', 'payable'), ('confirmed', 'declined'),
    ('payable', 'paid'), ('declined', 'tracked')) then
    raise exception 'a cashback entry cannot go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  if new.version <> old.version + 1 then
    raise exception 'cashback entry % changes by one version at a time', old.id using errcode = 'check_violation';
  end if;
  if old.state in ('payable', 'paid') and (old.cashback_pence, old.commission_pence, old.sale_pence) <> (new.cashback_pence, new.commission_pence, new.sale_pence) then
    raise exception 'cashback entry % is %: its amounts are changed by a correction', old.id, old.state using errcode = 'check_violation';
  end if;
  if (old.member_id, old.click_id, old.network_transaction_id, old.entry_kind) <> (new.member_id, new.click_id, new.network_transaction_id, new.entry_kind) then
    raise exception 'cashback entry % belongs to its member for good', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger cashback_entries_lifecycle before update on cashback_entries for each row execute function check_cashback_change();
create trigger cashback_entries_kept before delete on cashback_entries for each row execute function refuse_change();

-- Every change, with the transfer that posted it: the history behind the timeline, and what notices are sent from.
create table cashback_changes (
  entry_id       uuid not null references cashback_entries (id),
  version        integer not null,
  change_kind    text not null check (change_kind in ('tracked', 'amended', 'confirmed', 'payable', 'paid', 'declined', 'reinstated', 'corrected')),
  state          text not null,
  cashback_pence bigint not null,
  difference_pence bigint not null,
  reason_code    text,
  transfer_id    uuid references ledger_transfers (id),        -- null: nothing moved (a purchase tracked at nought)
  changed_at     timestamptz not null,
  primary key (entry_id, version)
);
create index cashback_changes_changed on cashback_changes (changed_at);
create trigger cashback_changes_fixed before update or delete on cashback_changes for each row execute function refuse_change();
create trigger cashback_changes_kept before truncate on cashback_changes for each statement execute function refuse_change();
