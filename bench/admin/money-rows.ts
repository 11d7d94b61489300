import type { LoadStep, RowCounts } from "./row-counts.ts";

/** The moves of a purchase between the accounts of its member, its network and the club: from one state to the next (core/cashback/rules.ts). */
const moves = [
  {
    step: 1,
    kind: "cashback_tracked",
    after: "1 day",
    in: "tracked,declined,confirmed,payable,paid",
    from: null,
    to: "tracked",
    network: "expected",
    club: "expected",
  },
  {
    step: 2,
    kind: "cashback_declined",
    after: "20 days",
    in: "declined",
    from: "tracked",
    to: null,
    network: "expected",
    club: "expected",
  },
  {
    step: 2,
    kind: "cashback_confirmed",
    after: "30 days",
    in: "confirmed,payable,paid",
    from: "tracked",
    to: "confirmed",
    network: "approved",
    club: "approved",
  },
  {
    step: 3,
    kind: "cashback_payable",
    after: "45 days",
    in: "payable,paid",
    from: "confirmed",
    to: "payable",
    network: "received",
    club: "earned",
  },
] as const;

/** The accounts of the position before a move. */
const before = {
  tracked: { network: "expected", club: "expected" },
  confirmed: { network: "approved", club: "approved" },
} as const;

function legsOf(move: (typeof moves)[number]): string {
  const list: string[] = [];
  const leg = (account: string, pence: string) => list.push(`(${account}, ${pence})`);
  if (move.to) {
    leg(`'member_${move.to}:' || member_id`, "cashback");
    leg(`'network_${move.network}:' || network_id`, "-commission");
    leg(`'club_${move.club}'`, "commission - cashback");
  }
  if (move.from) {
    leg(`'member_${move.from}:' || member_id`, "-cashback");
    leg(`'network_${before[move.from].network}:' || network_id`, "commission");
    leg(`'club_${before[move.from].club}'`, "cashback - commission");
  }
  return list.join(", ");
}

/** Payouts, the ledger, card payments and gift cards. Transfers and their legs are numbered by time, so that accounts grow as they do. */
export function moneyStatements({ members, purchases, part }: RowCounts): LoadStep[] {
  const payments = part(300_000, 60);
  const lines = part(120_000, 60);
  const deliveries = part(200_000, 60);
  const product = part(3_000);
  const at = (n: string, of: number) => `pg_temp.moment(${n} * 1.0 / ${of})`;
  const inStates = (states: string) =>
    `state in (${states
      .split(",")
      .map((state) => `'${state}'`)
      .join(", ")})`;
  return [
    {
      makes: "payouts",
      statements: [
        // Three paid purchases of a member leave together; of the payable ones, some are asked for.
        `create unlogged table load_payouts as
          with grouped as (select p, member_id, brand_id, cashback, at, (row_number() over (partition by member_id order by p) - 1) / 3 as part from load_purchases where state = 'paid')
          select row_number() over (order by max(at), member_id)::bigint as n, member_id, brand_id, sum(cashback)::bigint as pence, pg_temp.moment(row_number() over (order by max(at), member_id) * 1.0 / count(*) over ()) as at, array_agg(p) as purchases, 'paid' as state
          from grouped group by member_id, brand_id, part`,
        `insert into load_payouts select (select max(n) from load_payouts) + row_number() over (order by p), member_id, brand_id, cashback, pg_temp.moment(0.995) + interval '1 minute' * (p % 5000), array[p], 'requested'
          from (select distinct on (member_id) * from load_purchases where state = 'payable' order by member_id, p) payable where cashback > 0 order by p limit ${part(2_000, 20)}`,
        `alter table load_payouts add primary key (n)`,
        `insert into payout_batches (id, batch_number, method, made_at, made_by, processing_day, entry_day, approved_at, approved_by, confirmed_at, confirmed_by)
          overriding system value select pg_temp.id(48, n), n, 'bank', ${at("n", 500)}, 'joan@club.example', ${at("n", 500)}::date, ${at("n", 500)}::date + 1, ${at("n", 500)}, 'ada@club.example', ${at("n", 500)}, 'ada@club.example' from generate_series(1, 500) n`,
        `insert into payouts (id, public_id, brand_id, member_id, method, state, amount_pence, bank_reference, batch_id, requested_at, processing_at, paid_at)
          select pg_temp.id(49, n), pg_temp.code('p', n), brand_id, member_id, 'bank', state, pence, 'FP' || upper(lpad(to_hex(n), 10, '0')), case state when 'paid' then pg_temp.id(48, 1 + n * 499 / (select max(n) from load_payouts)) end,
            at - interval '3 days', case state when 'paid' then at - interval '1 day' end, case state when 'paid' then at end from load_payouts`,
        `insert into payout_entries (payout_id, entry_id) select pg_temp.id(49, n), pg_temp.id(35, p) from load_payouts, unnest(purchases) p where state = 'paid'`,
        `insert into payout_holds (id, public_id, brand_id, member_id, reason, placed_by, placed_at, lifted_by, lifted_at)
          select pg_temp.id(50, n), pg_temp.code('h', n), brand.id, pg_temp.id(16, n * 3), 'one card, ten accounts', 'joan@club.example', ${at("n", part(3_000, 20))}, case when n % 40 > 0 then 'joan@club.example' end, case when n % 40 > 0 then pg_temp.moment(1) end
          from generate_series(1, ${part(3_000, 20)}) n join load_brands brand on brand.place = n * 3 % 8`,
        `insert into payout_reports (id, file_name, content_hash, failures, read_at, read_by, applied_at, applied_by, outcomes)
          select pg_temp.id(51, n), 'report.csv', sha256(int8send(n)), '[]', ${at("n", 300)}, 'joan@club.example', ${at("n", 300)}, 'ada@club.example', '[]' from generate_series(1, 300::bigint) n`,
        `insert into book_checks (id, checked_at, checked_by, took_ms, transfers, entries, accounts, notes, faults) select pg_temp.id(52, n), ${at("n", 600)}, 'the server', 900, n, n, n, '[]', '[]' from generate_series(1, 600) n`,
      ],
    },
    {
      makes: "the ledger",
      statements: [
        `create unlogged table load_moves (transfer bigint, kind text, cause_kind text, cause uuid, at timestamptz, member_id uuid, network_id uuid, brand_id uuid, key text, cashback bigint, commission bigint)`,
        ...moves.map(
          (
            move,
          ) => `insert into load_moves select p * 8 + ${move.step}, '${move.kind}', 'cashback_entry', pg_temp.id(35, p), least(at + interval '${move.after}', pg_temp.moment(1)), member_id, network_id, brand_id,
            'cashback:' || pg_temp.id(35, p) || ':${move.step}', cashback, commission from load_purchases where cashback > 0 and ${inStates(move.in)}`,
        ),
        `insert into load_moves select n * 8 + 5 + ${purchases * 8}, 'payout_requested', 'payout', pg_temp.id(49, n), at - interval '3 days', member_id, null, brand_id, 'payout:' || pg_temp.id(49, n) || ':requested', pence, null from load_payouts`,
        `insert into load_moves select n * 8 + 6 + ${purchases * 8}, 'payout_paid', 'payout', pg_temp.id(49, n), at, member_id, null, brand_id, 'payout:' || pg_temp.id(49, n) || ':paid', pence, null from load_payouts where state = 'paid'`,
        `create unlogged table load_numbered as select move.*, row_number() over (order by at, transfer)::bigint as n from load_moves move`,
        `drop table load_moves`,
        // Each transaction of the ledger posted some ten transfers: numbers of transactions are used up first, so that all lie in the past.
        `do $$ begin for i in 1..(select greatest(200, least(400000, count(*) / 10)) from load_numbered) loop perform pg_current_xact_id(); commit; end loop; end $$`,
        `create unlogged table load_xacts as select (select max(n) from load_numbered) as transfers, pg_current_xact_id()::text::bigint as last, greatest(200, least(400000, (select count(*) from load_numbered) / 10)) as used`,
        `insert into ledger_transfers (id, transfer_key, transfer_kind, content_hash, cause_kind, cause_id, happened_at, recorded_at, xact_id)
          select pg_temp.id(64, n), key, kind, sha256(int8send(n)), cause_kind, cause, at, at, (last - used + n * used / (transfers + 1))::text::xid8 from load_numbered, load_xacts order by n`,
        `create unlogged table load_legs (n bigint, account text, pence bigint)`,
        ...moves.map(
          (move) =>
            `insert into load_legs select n, leg.* from load_numbered cross join lateral (values ${legsOf(move)}) leg (account, pence) where kind = '${move.kind}' and leg.pence <> 0`,
        ),
        `insert into load_legs select n, leg.* from load_numbered cross join lateral (values ('member_payable:' || member_id, -cashback), ('member_in_transit:' || member_id, cashback)) leg (account, pence) where kind = 'payout_requested'`,
        `insert into load_legs select n, leg.* from load_numbered cross join lateral (values ('member_in_transit:' || member_id, -cashback), ('member_paid:' || member_id, cashback)) leg (account, pence) where kind = 'payout_paid'`,
        `create unlogged table load_accounts as select account as name, pg_temp.account(account) as id, split_part(account, ':', 1) as kind, nullif(split_part(account, ':', 2), '')::uuid as owner from (select distinct account from load_legs) named`,
        `insert into ledger_accounts (id, account_kind, member_id, network_id, created_at)
          select id, kind, case when kind like 'member%' then owner end, case when kind like 'network%' then owner end, pg_temp.moment(0) from load_accounts`,
        `insert into ledger_entries (transfer_id, account_id, amount_pence, xact_id)
          select pg_temp.id(64, n), account.id, pence, (last - used + n * used / (transfers + 1))::text::xid8 from load_legs leg join load_accounts account on account.name = leg.account, load_xacts order by n`,
        `insert into ledger_totals (account_id, total_pence) select account_id, sum(amount_pence) from ledger_entries group by 1`,
        `update ledger_watermark set folded_below = (select (last + 1)::text::xid8 from load_xacts), folded_at = now()`,
        `insert into report_money_days (day, brand_id, transfer_kind, account_kind, pence, transfers)
          select (move.at at time zone 'Europe/London')::date, move.brand_id, move.kind, split_part(leg.account, ':', 1), sum(leg.pence), count(*) from load_legs leg join load_numbered move using (n) group by 1, 2, 3, 4`,
        `insert into report_money_watermark (summed_below) select (last + 1)::text::xid8 from load_xacts on conflict (only_row) do update set summed_below = excluded.summed_below`,
        `drop table load_legs, load_numbered, load_accounts, load_xacts, load_payouts`,
      ],
    },
    {
      makes: "card payments, partners' deliveries",
      statements: [
        `insert into partners (id, public_id, name, created_at) select pg_temp.id(80, n), pg_temp.code('pt', n), pg_temp.last_name(n) || ' & Co', pg_temp.moment(0) from generate_series(1, 60) n`,
        `insert into partner_webhooks (id, partner_id, url) select pg_temp.id(81, n), pg_temp.id(80, n), 'https://partner.example/hooks' from generate_series(1, 60) n`,
        `insert into partner_webhook_deliveries (id, webhook_id, event_id, kind, body, created_at, delivered_at, attempts)
          select pg_temp.id(82, n), pg_temp.id(81, 1 + n % 60), pg_temp.id(83, n), 'payment.paid', '{}', ${at("n", deliveries)}, case when n % 2000 > 0 then ${at("n", deliveries)} end, 1 from generate_series(1, ${deliveries}::bigint) n`,
        `insert into payments (id, public_id, partner_id, idempotency_key, amount_pence, refunded_pence, reference, state, provider_payment_id, created_at, changed_at)
          select pg_temp.id(84, n), substr(md5('payment' || n), 1, 22), pg_temp.id(80, 1 + n % 60), 'key-' || lpad(n::text, 9, '0'), 2000, case when n % 50 = 1 then 2000 else 0 end, 'Basket ' || n,
            case n % 50 when 0 then 'cancelled' when 1 then 'refunded' when 2 then 'failed' else 'paid' end, 'pi_' || n, ${at("n", payments)}, ${at("n", payments)} from generate_series(1, ${payments}::bigint) n`,
        `insert into payment_changes (payment_id, version, state, refunded_pence, changed_at) select id, 1, state, refunded_pence, changed_at from payments`,
        `insert into payment_disputes (id, public_id, payment_id, provider_dispute_id, state, reason, amount_pence, withdrawn_pence, fee_pence, is_for_gift_cards, evidence_due_at, has_evidence, opened_at, changed_at)
          select pg_temp.id(85, n), pg_temp.code('d', n), pg_temp.id(84, n), 'dp_' || n, case when n % 40 = 0 then 'needs_response' else 'won' end, 'fraudulent', 2000, 2000, 1500, false, ${at("n", part(3_000, 20))} + interval '14 days', n % 80 > 0,
            ${at("n", part(3_000, 20))}, ${at("n", part(3_000, 20))} from generate_series(1, least(${part(3_000, 20)}, ${payments})) n`,
      ],
    },
    {
      makes: "gift cards",
      statements: [
        `insert into widget_sessions (id, partner_id, origin, bearer_hash, opened_at, expires_at)
          select pg_temp.id(97, n), pg_temp.id(80, 1 + n % 60), 'https://shop.example', sha256(int8send(n)), ${at("n", lines)}, ${at("n", lines)} + interval '1 hour' from generate_series(1, ${lines}::bigint) n`,
        `insert into gift_card_orders (id, public_id, partner_id, session_id, idempotency_key, brand_id, member_id, buyer_mark, total_pence, placed_at)
          select pg_temp.id(96, n), pg_temp.code('g', n), pg_temp.id(80, 1 + n % 60), pg_temp.id(97, n), 'key-' || lpad(n::text, 9, '0'), case when n % 3 > 0 then brand.id end, case when n % 3 > 0 then pg_temp.id(16, 1 + n * 7 % ${members}) end,
            sha256(int8send(n)), 1000, ${at("n", lines)} from generate_series(1, ${lines}::bigint) n join load_brands brand on brand.place = (1 + n * 7 % ${members}) % 8`,
        `insert into gift_card_lines (id, public_id, order_id, line_number, product_id, face_pence, price_pence, fee_pence, cashback_pence, cost_pence, state, card_state, sealed_card, issued_at, paid_at, next_step_at, attempts, last_error)
          select pg_temp.id(98, n), pg_temp.code('l', n), pg_temp.id(96, n), 1, pg_temp.id(8, 1 + n % ${product}), 1000, 970, 0, 0, 950, state, case state when 'issued' then 'issued' else 'none' end, case state when 'issued' then repeat('x', 60) end,
            case state when 'issued' then ${at("n", lines)} end, case when state <> 'awaiting_payment' then ${at("n", lines)} end, case state when 'issuing' then pg_temp.moment(1.001) end, case state when 'issuing' then 9 else 0 end,
            case state when 'issuing' then 'the issuer answers 500' end
          from (select n, case when n % 4000 = 7 then 'held' when n % 4000 = 9 then 'issuing' when n % 30 = 0 then 'cancelled' else 'issued' end as state from generate_series(1, ${lines}::bigint) n) line`,
        `drop table load_purchases`,
      ],
    },
  ];
}
