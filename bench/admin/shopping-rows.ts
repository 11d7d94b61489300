import type { LoadStep, RowCounts } from "./row-counts.ts";

const snapshot = JSON.stringify({
  offerTitle: "Cashback on everything",
  memberShareBp: 7000,
  rates: [
    {
      kind: "percent",
      groupId: "101",
      label: "Everything",
      basis: "",
      capPence: null,
      boostedUntil: null,
      rateBp: 400,
      usualBp: 400,
    },
  ],
  tracking: {
    tracksWithinDays: { min: 1, max: 3 },
    confirmsWithinDays: { min: 30, max: 60 },
    confirmsAfter: "purchase",
  },
});

/** Clicks, reported sales, purchases and claims. Shoppers differ: one in four hundred purchases is of the same member. */
export function shoppingStatements(counts: RowCounts): LoadStep[] {
  const { clicks, clicksPerPurchase, purchases, shoppers, retailers, offers, part } = counts;
  // Enough of each for statistics that hold for more.
  const claims = part(40_000, 250);
  const events = part(50_000, 30);
  const at = (n: string, of: number) => `pg_temp.moment(${n} * 1.0 / ${of})`;
  return [
    {
      makes: "clicks",
      statements: [
        `insert into click_terms (terms_hash, terms, first_at) values (repeat('ab', 32), 'The terms.', pg_temp.moment(0))`,
        // Several clicks of which the last one led to a purchase. They lie in the order in which they were made, as a club's do: clicks_created counts on it.
        `insert into clicks (id, reference, click_number, brand_id, member_id, retailer_id, programme_id, network_id, offer_id, target_url, rate_snapshot, terms_hash, created_at)
          select pg_temp.id(32, n), substr(md5('click' || n), 1, 22), left(spelt, 4) || '-' || substr(spelt, 5, 4) || '-' || right(spelt, 4), brand.id, pg_temp.id(16, member), programme.retailer_id, programme.id,
            programme.network_id, pg_temp.id(5, 1 + n % ${offers}), 'https://shop.example/?c=' || n, '${snapshot}', repeat('ab', 32), ${at("n", clicks)}
          from (select n, upper(lpad(to_hex(n), 12, '0')) as spelt,
              case when nth % 400 = 0 then 1 else 1 + floor(power((nth * 7919 % 100003) / 100003.0, 2) * ${shoppers - 1})::bigint end as member
            from (select n, (n + ${clicksPerPurchase - 1}) / ${clicksPerPurchase} as nth from generate_series(1, ${clicks}::bigint) n) numbered) made
          join load_brands brand on brand.place = member % 8 join programmes programme on programme.id = pg_temp.id(3, 1 + n % ${retailers}) order by n`,
      ],
    },
    {
      makes: "purchases",
      statements: [
        // Paid, declined, payable, confirmed, tracked: the older, the further.
        `create unlogged table load_purchases as select p, click.id as click_id, click.brand_id, click.member_id, click.retailer_id, click.network_id, click.programme_id,
            1000 + p * 37 % 20000 as sale, (1000 + p * 37 % 20000) * 4 / 100 as cashback, (1000 + p * 37 % 20000) * 6 / 100 as commission, click.created_at + interval '1 hour' as at,
            case when p % 20 = 3 and p < ${purchases} * 0.9 then 'declined' when p < ${purchases} * 0.7 then 'paid' when p < ${purchases} * 0.8 then 'payable' when p < ${purchases} * 0.9 then 'confirmed' else 'tracked' end as state
          from generate_series(1, ${purchases}::bigint) p join clicks click on click.id = pg_temp.id(32, p * ${clicksPerPurchase})`,
        `alter table load_purchases add primary key (p)`,
        `insert into network_transactions (id, network_id, network_transaction_id, network_programme_id, programme_id, click_reference, click_id, status, currency, sale_minor, commission_minor, exchange_rate_micros, parts,
            paid_to_publisher, order_reference, purchased_at, clicked_at, modified_at, observed_at, revision_number, revision_hash, created_at, updated_at)
          select pg_temp.id(33, p), network_id, 't' || p, 'x', programme_id, substr(md5('click' || p * ${clicksPerPurchase}), 1, 22), click_id, case state when 'tracked' then 'pending' when 'declined' then 'declined' else 'approved' end, 'GBP', sale, commission,
            1000000, '[]', state in ('payable', 'paid'), 'ORD-' || p, at, at, at, at, 1, repeat('cd', 32), at, at from load_purchases`,
        `insert into network_transactions (id, network_id, network_transaction_id, network_programme_id, held_because, status, currency, sale_minor, commission_minor, parts, paid_to_publisher, order_reference, purchased_at,
            modified_at, observed_at, revision_number, revision_hash, created_at, updated_at)
          select pg_temp.id(34, n), network.id, 'h' || n, 'x', pg_temp.one_of(array['no_reference', 'unknown_reference', 'other_retailer'], n), 'pending', 'GBP', 5000, 300, '[]', false, 'HELD-' || n, at, at, at, 1, repeat('cd', 32), at, at
          from (select n, ${at("n", part(5_000, 30))} as at from generate_series(1, ${part(5_000, 30)}) n) made join load_networks network on network.place = made.n % 2`,
        `insert into cashback_entries (id, brand_id, member_id, retailer_id, network_id, click_id, network_transaction_id, entry_kind, state, version, sale_pence, cashback_pence, commission_pence, reason_code, purchased_at, tracked_at,
            confirmed_at, payable_at, paid_at, declined_at, created_at, updated_at)
          select pg_temp.id(35, p), brand_id, member_id, retailer_id, network_id, click_id, pg_temp.id(33, p), 'purchase', state, case state when 'tracked' then 1 when 'payable' then 3 when 'paid' then 4 else 2 end, sale, cashback, commission,
            case state when 'declined' then 'returned' end, at, at + interval '1 day', case when state in ('confirmed', 'payable', 'paid') then at + interval '30 days' end, case when state in ('payable', 'paid') then at + interval '45 days' end,
            case state when 'paid' then at + interval '60 days' end, case state when 'declined' then at + interval '20 days' end, at + interval '1 day', at + interval '1 day' from load_purchases`,
        `insert into cashback_changes (entry_id, version, change_kind, state, cashback_pence, difference_pence, changed_at)
          select pg_temp.id(35, p), step.version, step.kind, step.kind, cashback, case step.version when 1 then cashback else 0 end, least(at + step.after, pg_temp.moment(1))
          from load_purchases join (values (1, 'tracked', interval '1 day'), (2, 'confirmed', interval '30 days'), (3, 'payable', interval '45 days'), (4, 'paid', interval '60 days')) step (version, kind, after)
            on step.version <= case state when 'tracked' then 1 when 'declined' then 1 when 'confirmed' then 2 when 'payable' then 3 else 4 end`,
        `insert into cashback_changes (entry_id, version, change_kind, state, cashback_pence, difference_pence, reason_code, changed_at)
          select pg_temp.id(35, p), 2, 'declined', 'declined', cashback, -cashback, 'returned', at + interval '20 days' from load_purchases where state = 'declined'`,
      ],
    },
    {
      makes: "claims",
      statements: [
        // About clicks that led to nothing, each member's by an order number of its own. The newest wait; a few for a person.
        `insert into claims (id, public_id, brand_id, member_id, click_id, retailer_id, programme_id, network_id, kind, state, order_reference, purchased_on, sale_pence, needs_evidence, opens_at, closes_at, reason_code, answer,
            decided_at, filings, made_at, changed_at, awaits_pack, next_step_at, given_up_at)
          select pg_temp.id(36, n), pg_temp.code('c', n), click.brand_id, click.member_id, click.id, click.retailer_id, click.programme_id, click.network_id, 'untracked', state, 'CLAIM-' || n, click.created_at::date, 4000, false,
            click.created_at + interval '10 days', click.created_at + interval '100 days', case state when 'declined' then 'not_found' end, case state when 'declined' then 'No such order.' end, case state when 'declined' then made end,
            case state when 'filed' then 1 when 'accepted' then 1 else 0 end, made, made, state = 'open' and n % 3 = 0, pg_temp.moment(1.001), case when state = 'filed' and n % 50 = 0 then pg_temp.moment(0.99) end
          from (select n, ${at("n", claims)} as made,
              case when n > ${claims} * 0.95 then pg_temp.one_of(array['waiting', 'open', 'filed', 'accepted', 'incomplete'], n) else pg_temp.one_of(array['credited', 'declined', 'expired', 'withdrawn'], n) end as state
            from generate_series(1, ${claims}::bigint) n) claim
          join clicks click on click.id = pg_temp.id(32, 1 + ${clicksPerPurchase} * (n * ${purchases - 1} / ${claims}))`,
      ],
    },
    {
      makes: "what networks said",
      statements: [
        `insert into network_passes (network_id, pass, covered_until, ran_at) select id, 'transaction', pg_temp.moment(case when place = 0 then 0.99 else 1 end), pg_temp.moment(1) from load_networks`,
        `insert into network_events (id, network_id, dedupe_key, network_transaction_id, content_type, raw, status, next_attempt_at, received_at, handled_at)
          select pg_temp.id(37, n), network.id, sha256(int8send(n)), 't' || n, 'application/json', 'x', case when n % 2000 = 0 then 'unconfirmed' else 'confirmed' end, ${at("n", events)}, ${at("n", events)}, ${at("n", events)}
          from generate_series(1, ${events}::bigint) n join load_networks network on network.place = n % 2`,
      ],
    },
  ];
}
