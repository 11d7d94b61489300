import type { LoadStep, RowCounts } from "./row-counts.ts";

/** The retailers, offers, codes, gift cards and imports of the club. */
export function catalogueStatements({ retailers, offers, part }: RowCounts): LoadStep[] {
  const pools = part(1_000);
  return [
    {
      makes: "retailers and offers",
      statements: [
        `create temp table load_brands as select row_number() over (order by slug)::int - 1 as place, id, slug from brands`,
        `create temp table load_networks as select row_number() over (order by slug)::int - 1 as place, id, slug from networks`,
        `insert into categories (id, slug, name, position) select pg_temp.id(1, n), 'kind-' || n, 'Kind ' || n, n from generate_series(1, 40) n`,
        `insert into retailers (id, slug, name, homepage_url, status, tracks_within_days_min, tracks_within_days_max, confirms_within_days_min,
            confirms_within_days_max, popularity, created_at, updated_at)
          select pg_temp.id(2, n), 'shop-' || n, pg_temp.last_name(n) || pg_temp.one_of(array[' Boots',' Books',' Garden',' Home',' Travel',' Tools',' Food'], n) || ' ' || n,
            'https://shop-' || n || '.example/', case n % 50 when 0 then 'paused' when 1 then 'closed' else 'active' end, 1, 3, 30, 60, n % 1000,
            pg_temp.moment(n * 0.5 / ${retailers}), pg_temp.moment((pg_temp.drawn(n) % 100000) / 100000.0) from generate_series(1, ${retailers}) n`,
        `insert into retailer_categories (retailer_id, category_id, is_main) select pg_temp.id(2, n), pg_temp.id(1, 1 + n % 40), true from generate_series(1, ${retailers}) n`,
        `insert into brand_retailers (brand_id, retailer_id) select brand.id, pg_temp.id(2, n) from generate_series(1, ${retailers}) n join load_brands brand on brand.place <> n % 8`,
        `insert into programmes (id, network_id, network_programme_id, retailer_id, name, status, landing_url)
          select pg_temp.id(3, n), network.id, n::text, pg_temp.id(2, n), 'Programme ' || n, 'joined', 'https://shop-' || n || '.example/'
          from generate_series(1, ${retailers}) n join load_networks network on network.place = n % (select count(*) from load_networks)`,
        `insert into rate_tiers (id, programme_id, network_group_id, label, rate_kind, member_rate_bp, position)
          select pg_temp.id(4, n), pg_temp.id(3, n), '101', 'Everything', 'percent', 400, 0 from generate_series(1, ${retailers}) n`,
        `insert into retailer_scorecards (retailer_id, purchases, tracked_in_time, decided, declined, worked_out_at)
          select pg_temp.id(2, n), 100, 80 + n % 21, 90, n % 10, pg_temp.moment(1) from generate_series(1, ${retailers}) n where n % 4 > 0`,
        `insert into offers (id, public_id, slug, retailer_id, programme_id, network_id, network_offer_id, kind, title, landing_url, status, starts_at, ends_at, popularity,
            created_at, updated_at)
          select pg_temp.id(5, n), pg_temp.code('o', n), 'offer-' || n, programme.retailer_id, programme.id, programme.network_id, n::text,
            pg_temp.one_of(array['cashback','code','deal','in_store'], n),
            pg_temp.one_of(array['Cashback on','10% off','Save on','Free delivery on','Half price'], n) || ' ' || pg_temp.one_of(array['boots','books','bulbs','blankets','bags','brushes'], n / 5)
              || ' at ' || pg_temp.last_name(n % ${retailers} + 1) || ' ' || n,
            'https://shop.example/' || n, case when n % 10 = 0 then 'withdrawn' else 'live' end, pg_temp.moment(n * 1.02 / ${offers}),
            case when n % 3 > 0 then pg_temp.moment(n * 1.02 / ${offers}) + interval '1 day' * (30 + n % 200) end, n % 1000, pg_temp.moment(n * 1.0 / ${offers}),
            pg_temp.moment((pg_temp.drawn(n) % 100000) / 100000.0)
          from generate_series(1, ${offers}) n join programmes programme on programme.id = pg_temp.id(3, 1 + n % ${retailers})`,
        `insert into offer_categories (offer_id, category_id) select pg_temp.id(5, n), pg_temp.id(1, 1 + n % 40) from generate_series(1, ${offers}) n`,
      ],
    },
    {
      makes: "codes, gift-card products, imports",
      statements: [
        `insert into offer_codes (id, offer_id, code_kind, code) select pg_temp.id(6, n * 1000 + k), pg_temp.id(5, n * 4 + 1), 'pool', 'CODE-' || n || '-' || k
          from generate_series(1, ${pools}) n, generate_series(1, 200) k where n * 4 + 1 <= ${offers}`,
        `insert into code_pool_alarms (id, offer_id, level, codes_free, codes_total, raised_at) select pg_temp.id(7, n), pg_temp.id(5, n * 4 + 1), 'low', 5, 200, pg_temp.moment(0.99)
          from generate_series(1, ${pools}, 20) n where n * 4 + 1 <= ${offers}`,
        `insert into gift_card_products (id, issuer, issuer_product_id, name, amounts_pence, issuer_discount_bp, reward_bp, is_reversible, redeemable_at, terms, synced_at, slug,
            stopped_at, stopped_because)
          select pg_temp.id(8, n), 'sandbox', 'product-' || n, pg_temp.last_name(n) || ' gift card ' || n, array[1000, 2500], 500, 300, true, array['online'], 'Terms.', pg_temp.moment(1), 'card-' || n,
            case when n % 40 = 0 then pg_temp.moment(0.9) end, case when n % 40 = 0 then 'out of stock' end from generate_series(1, ${part(3_000)}) n`,
        `insert into catalogue_imports (id, network_id, source_name, content_kind, content_hash, rows_read, rows_created, rows_updated, rows_unchanged, imported_at)
          select pg_temp.id(9, n), network.id, 'offers.csv', 'promotions', md5(n::text), 100, 5, 5, 90, pg_temp.moment(n * 1.0 / ${part(5_000)})
          from generate_series(1, ${part(5_000)}) n join load_networks network on network.place = n % (select count(*) from load_networks)`,
      ],
    },
  ];
}
