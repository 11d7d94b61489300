import { takeRateSnapshot } from "../clicks/rate-snapshot.ts";
import { MEMBER_ACCOUNTS, type AccountRef } from "../ledger/rules.ts";
import { accountId } from "../ledger/operations.server.ts";
import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";

const BATCH = 5_000;
const MAX_SHOPS = 60;

/** What a history is made of: one of the brand's retailers with its joined programme. */
interface Shop {
  retailerId: string;
  programmeId: string;
  networkId: string;
}

export interface LongHistory {
  brandId: string;
  memberId: string;
  entries: number;
  now: Date;
  /** The days over which the purchases are spread, up to `now`. */
  days?: number;
}

/**
 * Writes a history of `entries` purchases at the brand's retailers, each with its click, its network transaction, its
 * changes and one transfer to where it stands. One in twenty has the time of the one before. The books balance; the
 * totals are not folded.
 */
export async function insertLongHistory(
  db: Db,
  { brandId, memberId, entries, now, days = 5 * 365 }: LongHistory,
): Promise<void> {
  const shops = await findShops(db, brandId);
  const networkId = shops[0]?.networkId;
  if (networkId === undefined) throw new Error("The brand has no retailer with a joined programme.");
  await openAccounts(db, memberId, networkId);
  for (let from = 0; from < entries; from += BATCH) {
    const batch = { from, upTo: Math.min(from + BATCH, entries), entries, days };
    await db.transaction().execute((trx) => insertBatch(trx, { brandId, memberId, shops, networkId, now, ...batch }));
  }
}

async function findShops(db: Db, brandId: string): Promise<Shop[]> {
  const { rows } = await sql<Shop>`
    select retailer.id as "retailerId", programme.id as "programmeId", programme.network_id as "networkId"
    from brand_retailers shown join retailers retailer on retailer.id = shown.retailer_id
      join programmes programme on programme.retailer_id = retailer.id and programme.status = 'joined'
    where shown.brand_id = ${brandId} order by programme.network_id, retailer.slug limit ${MAX_SHOPS}`.execute(db);
  return rows.filter(({ networkId }) => networkId === rows[0]?.networkId);
}

async function openAccounts(db: Db, memberId: string, networkId: string): Promise<void> {
  const network: AccountRef[] = [
    { kind: "network_expected", networkId },
    { kind: "network_approved", networkId },
    { kind: "network_received", networkId },
  ];
  const club: AccountRef[] = [{ kind: "club_expected" }, { kind: "club_approved" }, { kind: "club_earned" }];
  const rows = [...MEMBER_ACCOUNTS.map((kind): AccountRef => ({ kind, memberId })), ...network, ...club].map(
    (account) => ({
      id: accountId(account),
      account_kind: account.kind,
      member_id: "memberId" in account ? account.memberId : null,
      network_id: "networkId" in account ? account.networkId : null,
    }),
  );
  await db
    .insertInto("ledger_accounts")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

interface Batch {
  brandId: string;
  memberId: string;
  shops: readonly Shop[];
  networkId: string;
  now: Date;
  from: number;
  upTo: number;
  entries: number;
  days: number;
}

/** How long ago a purchase was made decides where it stands; one in ten was declined. */
const STATE = sql`case when i % 10 = 7 then 'declined' when age < interval '30 days' then 'tracked'
  when age < interval '80 days' then 'confirmed' when age < interval '90 days' then 'payable' else 'paid' end`;

async function insertBatch(trx: Trx, { brandId, memberId, shops, networkId, now, ...batch }: Batch): Promise<void> {
  const { from, upTo, entries, days } = batch;
  const account = (ref: AccountRef) => sql`${accountId(ref)}::uuid`;
  const ids = () => sql`${Array.from({ length: upTo - from }, newId)}::uuid[]`;
  await sql`
    create temporary table made on commit drop as
    select *, ${now}::timestamptz - age as at, ${STATE} as state, 100 + i % 900 as cashback, 140 + i % 900 as commission from (
      select *, (i - (i % 20 = 19)::int) * ${days}::int * interval '1 day' / ${entries}::int + interval '2 hours' as age,
        (${shops.map(({ retailerId }) => retailerId)}::uuid[])[1 + i % ${shops.length}::int] as retailer_id,
        (${shops.map(({ programmeId }) => programmeId)}::uuid[])[1 + i % ${shops.length}::int] as programme_id,
        ${memberId.replaceAll("-", "")} || i as unique_text
      from (
        select ${from}::int + place::int - 1 as i, entry_id, click_id, transaction_id, transfer_id
        from unnest(${ids()}, ${ids()}, ${ids()}, ${ids()}) with ordinality
          as made (entry_id, click_id, transaction_id, transfer_id, place)) numbered) aged`.execute(trx);
  await sql`
    insert into clicks (id, reference, click_number, brand_id, member_id, retailer_id, programme_id, network_id,
      target_url, rate_snapshot, terms_hash, created_at)
    select click_id, left(md5(unique_text), 22), upper(regexp_replace(left(md5(unique_text || 'n'), 12), '(.{4})(.{4})(.{4})', '\\1-\\2-\\3')),
      ${brandId}, ${memberId}, retailer_id, programme_id, ${networkId},
      'https://shop.example/', ${JSON.stringify(snapshotAt(now))}::jsonb, repeat('0', 64), at - interval '1 hour' from made`.execute(
    trx,
  );
  await sql`
    insert into network_transactions (id, network_id, network_transaction_id, network_programme_id, programme_id, click_id, status,
      currency, sale_minor, commission_minor, exchange_rate_micros, parts, paid_to_publisher, purchased_at, modified_at, observed_at,
      revision_number, revision_hash, created_at, updated_at)
    select transaction_id, ${networkId}, unique_text, 'bench', programme_id, click_id, case when state = 'declined' then 'declined' else 'approved' end,
      'GBP', 10000, commission, 1000000, '[]', state in ('payable', 'paid'), at, at, at, 1, repeat('0', 64), at, at from made`.execute(
    trx,
  );
  await sql`
    insert into cashback_entries (id, brand_id, member_id, retailer_id, network_id, click_id, network_transaction_id, entry_kind, state, version,
      sale_pence, cashback_pence, commission_pence, reason_code, confirm_expected_from, confirm_expected_to, purchased_at, tracked_at,
      confirmed_at, payable_at, paid_at, declined_at, created_at, updated_at)
    select entry_id, ${brandId}, ${memberId}, retailer_id, ${networkId}, click_id, transaction_id, 'purchase', state, 1,
      10000, cashback, commission, case when state = 'declined' then 'returned' end, at + interval '35 days', at + interval '75 days', at, at,
      case when state in ('confirmed', 'payable', 'paid') then at end, case when state in ('payable', 'paid') then at end,
      case when state = 'paid' then at end, case when state = 'declined' then at end, at, at from made`.execute(trx);
  await sql`
    insert into ledger_transfers (id, transfer_key, transfer_kind, content_hash, cause_kind, cause_id, happened_at)
    select transfer_id, 'cashback:' || entry_id || ':1', 'cashback_tracked', sha256(entry_id::text::bytea), 'cashback_entry', entry_id, at
    from made where state <> 'declined'`.execute(trx);
  const legs = [
    { member: "member_tracked", network: "network_expected", club: "club_expected", state: "tracked" },
    { member: "member_confirmed", network: "network_approved", club: "club_approved", state: "confirmed" },
    { member: "member_payable", network: "network_received", club: "club_earned", state: "payable" },
    { member: "member_paid", network: "network_received", club: "club_earned", state: "paid" },
  ] as const;
  for (const { member, network, club, state } of legs)
    await sql`
      insert into ledger_entries (transfer_id, account_id, amount_pence)
      select transfer_id, leg.account, leg.pence from made cross join lateral (values
        (${account({ kind: member, memberId })}, cashback), (${account({ kind: network, networkId })}, -commission),
        (${account({ kind: club })}, commission - cashback)) leg (account, pence) where state = ${state}`.execute(trx);
  await sql`
    insert into cashback_changes (entry_id, version, change_kind, state, cashback_pence, difference_pence, transfer_id, changed_at)
    select entry_id, version, change, change, cashback, case when version = 1 then cashback else 0 end,
      case when version = 1 and state <> 'declined' then transfer_id end, at
    from made cross join lateral unnest(case state when 'declined' then array['tracked', 'declined'] when 'tracked' then array['tracked']
      when 'confirmed' then array['tracked', 'confirmed'] when 'payable' then array['tracked', 'confirmed', 'payable']
      else array['tracked', 'confirmed', 'payable', 'paid'] end) with ordinality as step (change, version)`.execute(
    trx,
  );
  await sql`delete from cashback_notices where member_id = ${memberId}`.execute(trx);
  await sql`
    insert into cashback_expectations (entry_id, revision, awaits, expected_from, expected_to, reason, made_at)
    select entry_id, 1, case state when 'tracked' then 'confirmation' else 'payment' end, at + interval '35 days',
      at + interval '75 days', 'promised', at
    from made where state in ('tracked', 'confirmed')`.execute(trx);
  await sql`
    insert into cashback_watches (entry_id, member_id, awaits, revision, expected_from, expected_to, cashback_pence, next_look_at)
    select entry_id, ${memberId}, case state when 'tracked' then 'confirmation' else 'payment' end, 1, at + interval '35 days',
      at + interval '75 days', cashback, at + interval '80 days'
    from made where state in ('tracked', 'confirmed')`.execute(trx);
}

function snapshotAt(now: Date) {
  return takeRateSnapshot(
    {
      offerTitle: "Cashback on everything",
      memberShareBp: 7000,
      tracking: {
        tracksWithinDays: { min: 1, max: 3 },
        confirmsWithinDays: { min: 35, max: 75 },
        confirmsAfter: "purchase",
      },
      tiers: [
        {
          groupId: "101",
          label: "Everything",
          basis: "",
          rateKind: "percent",
          memberRateBp: 600,
          memberRatePence: null,
          capPence: null,
          boosts: [],
        },
      ],
    },
    now,
  );
}
