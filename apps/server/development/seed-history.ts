import { createHash } from "node:crypto";
import { recordReportedTransaction } from "@farthing/core/cashback/operations.server.ts";
import { createClickRecorder, type ClickRecorder } from "@farthing/core/clicks/click-recorder.server.ts";
import { findOfferTarget, findRetailerTarget, type ClickTarget } from "@farthing/core/clicks/queries.server.ts";
import { takeRateSnapshot } from "@farthing/core/clicks/rate-snapshot.ts";
import type { DeclineReason } from "@farthing/core/networks/decline-reason.ts";
import type { NetworkStatus, TransactionPart } from "@farthing/core/networks/network-transaction.ts";
import { setExchangeRate } from "@farthing/core/networks/exchange-rates.server.ts";
import { percentOf } from "@farthing/core/money/money.ts";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { DEMO_PURCHASES, type DemoPurchase, type DemoWord } from "./demo-purchases.ts";
import { askOnce, payDemoPayouts, type DemoBank } from "./seed-payouts.ts";

const DAY_MS = 86_400_000;

/** Rough exchange rates in millionths of a pound per unit, valid since before every demo purchase. */
const DEMO_EXCHANGE_RATES = { EUR: 855_000, USD: 762_000, SEK: 75_500 } as const;

/** If the last purchase is older than this, the history is continued. */
const FRESH_FOR_DAYS = 14;

/** Days from a purchase to the retailer's decision, and to the network's payment. */
const APPROVED_AFTER_DAYS = 48;
const PAID_AFTER_DAYS = 80;

/**
 * Seeds the demo members (`member@<brand>.example`) with a history that shows every state of cashback. Clicks, reports
 * and payments go through the same operations as real ones, with their clocks set back, so the ledger is correct.
 * Idempotent: an interrupted run is completed. Weeks later the history is continued, because postings are never moved:
 * open demo purchases are approved and paid when due, and new ones are made. Purchases made by a person are not
 * touched, nor are members who were suspended or have left. Returns the number of members that changed.
 * @param brands slugs; all brands by default.
 */
export async function seedHistory(
  db: Db,
  {
    brands,
    bank,
    now,
    progress = () => {},
  }: { brands?: readonly string[]; bank: DemoBank; now: Date; progress?: (line: string) => void },
): Promise<number> {
  const members = await findDemoMembers(db, brands);
  const due: { member: DemoMember; round: Round }[] = [];
  for (const member of members) {
    const round = dueRound(await findRounds(db, member), now);
    if (round !== null) due.push({ member, round });
  }
  if (due.length === 0) return 0;

  for (const [currency, rateMicros] of Object.entries(DEMO_EXCHANGE_RATES)) {
    await setExchangeRate(db, { currency, rateMicros, validFrom: new Date("2020-01-01T00:00:00Z") });
  }
  const recorder = createClickRecorder({ db });
  try {
    const seeded = await Promise.all(
      due.map(async ({ member, round }) => {
        if (round.number > 0) await settleOpenPurchases(db, member, now);
        return seedMember(db, { recorder, bank }, member, round, now);
      }),
    );
    await payDemoPayouts(db, bank, { now });
    const count = seeded.filter(Boolean).length;
    if (count > 0) progress(`Brought the history of ${count} demo members up to date`);
    return count;
  } finally {
    await recorder.close();
  }
}

interface DemoMember {
  memberId: string;
  brandId: string;
  slug: string;
}

async function findDemoMembers(db: Db, brands: readonly string[] | undefined): Promise<DemoMember[]> {
  const { rows } = await sql<DemoMember>`
    select member.id as "memberId", brand.id as "brandId", brand.slug
    from brands brand join members member on member.brand_id = brand.id and member.email = 'member@' || brand.slug || '.example'
      and member.suspended_at is null and member.closed_at is null
    order by brand.slug`.execute(db);
  return brands ? rows.filter((row) => brands.includes(row.slug)) : rows;
}

/** The part of the history made at one start. The first round has every state, later ones the purchases since. */
interface Round {
  number: number;
  purchases: readonly { purchase: DemoPurchase; index: number }[];
}

const MAX_ROUNDS = 200;
const allPurchases = DEMO_PURCHASES.map((purchase, index) => ({ purchase, index }));
const lastPurchase = allPurchases.at(-1)!;

/** Far below the ids that networks assign today, and deterministic, so that seeding twice makes one history. */
function transactionId(member: DemoMember, index: number, round: number): string {
  const base = createHash("sha256").update(member.slug).digest().readUInt32BE() % 9_000_000;
  return String(base * 100 + 10_000_000 + index + 10 * (round % 10) + 1_000_000_000 * Math.floor(round / 10));
}

/**
 * Returns the time of the last purchase of each complete round, by the round's number. Purchases are made in the order
 * of time, so a round with its last purchase is complete.
 */
async function findRounds(db: Db, member: DemoMember): Promise<Map<number, Date>> {
  const numbers = new Map(
    Array.from({ length: MAX_ROUNDS }, (_, round) => [transactionId(member, lastPurchase.index, round), round]),
  );
  const rows = await db
    .selectFrom("cashback_entries as entry")
    .innerJoin("network_transactions as transaction", "transaction.id", "entry.network_transaction_id")
    .select(["transaction.network_transaction_id as id", "transaction.purchased_at as at"])
    .where("entry.member_id", "=", member.memberId)
    .where("transaction.network_transaction_id", "in", [...numbers.keys()])
    .execute();
  return new Map(rows.map(({ id, at }) => [numbers.get(id)!, at]));
}

function dueRound(rounds: Map<number, Date>, now: Date): Round | null {
  if (rounds.size === 0) return { number: 0, purchases: allPurchases };
  const number = Math.max(...rounds.keys());
  const madeAt = rounds.get(number)!.getTime() + lastPurchase.purchase.clickedDaysAgo * DAY_MS;
  const daysSince = (now.getTime() - madeAt) / DAY_MS;
  if (daysSince < FRESH_FOR_DAYS || number + 1 >= MAX_ROUNDS) return null;
  return {
    number: number + 1,
    purchases: allPurchases.filter(
      ({ purchase }) => purchase.clickedDaysAgo < daysSince && purchase.paidOutDaysAgo === undefined,
    ),
  };
}

/** Reports what has become due since for open demo purchases. */
async function settleOpenPurchases(db: Db, member: DemoMember, now: Date): Promise<void> {
  const open = await db
    .selectFrom("network_transactions as transaction")
    .innerJoin("cashback_entries as entry", "entry.network_transaction_id", "transaction.id")
    .selectAll("transaction")
    .where("entry.member_id", "=", member.memberId)
    .where("transaction.order_reference", "=", sql<string>`'DEMO-' || transaction.network_transaction_id`)
    .where("transaction.status", "in", ["pending", "approved"])
    .where("transaction.paid_to_publisher", "=", false)
    .orderBy("transaction.purchased_at")
    .execute();
  for (const row of open) {
    const after = (days: number) => new Date(row.purchased_at.getTime() + days * DAY_MS);
    const words = [
      { at: after(APPROVED_AFTER_DAYS), isPaid: false },
      { at: after(PAID_AFTER_DAYS), isPaid: true },
    ].filter(({ at, isPaid }) => at <= now && at > row.modified_at && (isPaid || row.status === "pending"));
    for (const { at, isPaid } of words) {
      await recordReportedTransaction(db, {
        networkId: row.network_id,
        reported: {
          networkTransactionId: row.network_transaction_id,
          networkProgrammeId: row.network_programme_id,
          clickReference: row.click_reference,
          status: "approved",
          currency: row.currency,
          saleMinor: row.sale_minor,
          commissionMinor: row.commission_minor,
          parts: row.parts as TransactionPart[],
          paidToPublisher: isPaid,
          reason: row.reason_code as DeclineReason | null,
          orderReference: row.order_reference,
          purchasedAt: row.purchased_at,
          clickedAt: row.clicked_at,
          validatedAt: row.validated_at ?? at,
          modifiedAt: at,
          observedAt: at,
          raw: { demo: true },
        },
        now: at,
      });
    }
  }
  await forgetNotices(db, member);
}

/** Suppresses the e-mails about history. */
async function forgetNotices(db: Db, member: DemoMember): Promise<void> {
  await db.deleteFrom("cashback_notices").where("member_id", "=", member.memberId).execute();
}

interface Shop {
  retailer_slug: string;
  offer_public_id: string | null;
  tracks_late: boolean;
}

/**
 * Returns the brand's retailers that pay a percentage, well-known ones first, rotated per brand so that histories
 * differ.
 */
async function findShops(db: Db, member: DemoMember, now: Date): Promise<Shop[]> {
  const { rows } = await sql<Shop>`
    select retailer.slug as retailer_slug, offer.public_id as offer_public_id, retailer.confirms_after <> 'purchase' as tracks_late
    from visible_retailers(${member.brandId}) retailer
    join programmes programme on programme.retailer_id = retailer.id and programme.status = 'joined' and programme.is_preferred and programme.currency = 'GBP'
    left join lateral (
      select public_id from live_offers(${member.brandId}, ${now}) o
      where o.retailer_id = retailer.id and o.programme_id = programme.id and o.kind in ('cashback', 'code', 'deal')
      order by o.popularity desc, o.id limit 1
    ) offer on true
    where (select min(tier.member_rate_bp) from rate_tiers tier where tier.programme_id = programme.id) > 0
    order by md5(${member.slug} || (retailer.popularity / 50)::text), retailer.popularity desc, retailer.slug limit 60`.execute(
    db,
  );
  return rows;
}

interface Played {
  purchase: DemoPurchase;
  /** The transaction's id at the network. */
  id: string;
  target: ClickTarget;
}

/** Each round buys at other retailers. */
function turned<Item>(items: Item[], by: number): Item[] {
  const from = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(from), ...items.slice(0, from)];
}

async function seedMember(
  db: Db,
  { recorder, bank }: { recorder: ClickRecorder; bank: DemoBank },
  member: DemoMember,
  round: Round,
  now: Date,
): Promise<boolean> {
  const shops = turned(await findShops(db, member, now), round.number * DEMO_PURCHASES.length);
  const played: Played[] = [];
  for (const { index, purchase } of round.purchases) {
    const shop = takeShop(shops, purchase);
    const target = shop && (await findTarget(db, member, shop, now));
    if (target) played.push({ purchase, id: transactionId(member, index, round.number), target });
  }
  if (played.length === 0) return false; // no retailer of the brand pays cashback

  const references = new Map<string, string>();
  const moments = played.flatMap((one) => momentsOf(one, now)).sort((a, b) => a.at.getTime() - b.at.getTime());
  if (moments[0]) await joinedBefore(db, member, moments[0].at);
  for (const { one, at, word } of moments) {
    if (word === "paid out") await askOnce(db, bank, { ...member, at });
    else if (word === "clicked") references.set(one.id, await clickOnce(db, recorder, member, one, at));
    else if (one.purchase.salePence !== null) {
      await recordReportedTransaction(db, {
        networkId: one.target.networkId,
        reported: report(member, one, references.get(one.id)!, word, at, now),
        now: at,
      });
    }
  }
  await forgetNotices(db, member);
  return true;
}

/** Nobody buys before they join. */
async function joinedBefore(db: Db, { memberId }: DemoMember, first: Date): Promise<void> {
  const joined = new Date(first.getTime() - DAY_MS);
  await db
    .updateTable("members")
    .set({ created_at: joined })
    .where("id", "=", memberId)
    .where("created_at", ">", joined)
    .execute();
}

function takeShop(shops: Shop[], purchase: DemoPurchase): Shop | undefined {
  const suits = shops.findIndex((shop) => shop.tracks_late === (purchase.shop === "travel"));
  const index = suits >= 0 ? suits : shops.findIndex((shop) => !shop.tracks_late);
  return index < 0 ? undefined : shops.splice(index, 1)[0];
}

async function findTarget(db: Db, member: DemoMember, shop: Shop, now: Date): Promise<ClickTarget | null> {
  const finding = shop.offer_public_id
    ? await findOfferTarget(db, { brandId: member.brandId, publicId: shop.offer_public_id, variantPublicId: null, now })
    : await findRetailerTarget(db, { brandId: member.brandId, slug: shop.retailer_slug });
  return finding.outcome === "found" ? finding.target : null;
}

function momentsOf(one: Played, now: Date) {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  return [
    { one, at: daysAgo(one.purchase.clickedDaysAgo), word: "clicked" as const },
    ...one.purchase.words.map((word) => ({ one, at: daysAgo(word.daysAgo), word })),
    ...(one.purchase.paidOutDaysAgo === undefined
      ? []
      : [{ one, at: daysAgo(one.purchase.paidOutDaysAgo), word: "paid out" as const }]),
  ];
}

/** Reuses the click of an interrupted run. */
async function clickOnce(
  db: Db,
  recorder: ClickRecorder,
  member: DemoMember,
  { purchase, id, target }: Played,
  at: Date,
): Promise<string> {
  const known =
    purchase.salePence === null
      ? await db
          .selectFrom("clicks")
          .select("reference")
          .where("member_id", "=", member.memberId)
          .where("retailer_id", "=", target.retailerId)
          .executeTakeFirst()
      : await db
          .selectFrom("network_transactions")
          .select("click_reference as reference")
          .where("network_id", "=", target.networkId)
          .where("network_transaction_id", "=", id)
          .executeTakeFirst();
  if (known?.reference) return known.reference;
  const { reference } = await recorder.record({
    brandId: member.brandId,
    memberId: member.memberId,
    retailerId: target.retailerId,
    programmeId: target.programmeId,
    networkId: target.networkId,
    offerId: target.offerId,
    offerVariantId: target.offerVariantId,
    targetUrl: target.landingUrl,
    rateSnapshot: takeRateSnapshot(target, at),
    preFlight: null,
    termsHash: target.termsHash,
    terms: target.terms,
    createdAt: at,
  });
  return reference;
}

/** Returns the network's report of a purchase. Baskets differ a little between brands. */
function report(
  member: DemoMember,
  { purchase, id, target }: Played,
  reference: string,
  word: DemoWord,
  at: Date,
  now: Date,
) {
  const salePence = (word.salePence ?? purchase.salePence!) + (member.slug.length % 7) * 130;
  const tier = target.tiers.find((one) => (one.memberRateBp ?? 0) > 0) ?? target.tiers[0]!;
  const commission = percentOf(salePence, Math.ceil((tier.memberRateBp ?? 0) * 1.3));
  const status: NetworkStatus =
    word.says === "tracked" || word.says === "amended" ? "pending" : word.says === "declined" ? "declined" : "approved";
  const purchasedAt = new Date(now.getTime() - purchase.clickedDaysAgo * DAY_MS + 25 * 60_000);
  const sale = { saleMinor: salePence, commissionMinor: commission };
  return {
    networkTransactionId: id,
    networkProgrammeId: target.networkProgrammeId,
    clickReference: reference,
    status,
    currency: "GBP",
    ...sale,
    parts: [{ groupId: tier.groupId, groupCode: null, ...sale }],
    paidToPublisher: word.says === "paid to us",
    reason: word.reason ?? null,
    orderReference: `DEMO-${id}`,
    purchasedAt,
    clickedAt: purchasedAt,
    validatedAt: status === "pending" ? null : at,
    modifiedAt: at,
    observedAt: at,
    raw: { demo: true },
  };
}
