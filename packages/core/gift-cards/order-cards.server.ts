import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { sumPence, type Pence } from "../money/money.ts";
import type { Gift } from "./gift.ts";
import { isIssuerUnavailable, type CardAmounts, type CardIssuer, type StockAnswer } from "./issuer.ts";
import { readAmounts } from "./line-row.server.ts";
import { FROZEN_MS, isOffered, limitProblem, priceOf, type LimitProblem, type LinePrice } from "./rules.ts";
import { findUnsold, isProductSold } from "./sold-products.server.ts";

/** What every order of gift cards is checked for and stored as, whatever it is paid with (G4). */
export interface WantedCard {
  productPublicId: string;
  facePence: Pence;
  /** A card with a gift is a present: its code goes to somebody else. */
  gift?: Gift | null;
}

export type CardProblem =
  /** The number of the card in the order, from 0. */
  | { outcome: "not-sold" | "amount-not-offered" | "out-of-stock"; card: number }
  /** The issuer does not answer, so nothing is sold now. */
  | { outcome: "issuer-unavailable" };

export interface Product {
  id: string;
  publicId: string;
  name: string;
  issuer: string;
  issuerProductId: string;
  isSold: boolean;
  amounts: CardAmounts;
  issuerDiscountBp: number;
  rewardKind: "discount" | "cashback";
  rewardBp: number;
  feePence: Pence;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type SoldProducts = ReadonlyMap<string, Product>;

/** Checks that each card is sold with its value, and that its issuer has it. */
export async function checkCards(
  db: Db,
  issuers: ReadonlyMap<string, CardIssuer>,
  cards: readonly WantedCard[],
): Promise<CardProblem | { outcome: "sold"; products: SoldProducts }> {
  const products = await findProducts(db, cards);
  for (const [card, { productPublicId, facePence }] of cards.entries()) {
    const product = products.get(productPublicId);
    if (!product?.isSold) return { outcome: "not-sold", card };
    if (!Number.isSafeInteger(facePence) || !isOffered(product.amounts, facePence))
      return { outcome: "amount-not-offered", card };
    const stock = await stockOf(issuers, product, facePence);
    if (stock === "silent") return { outcome: "issuer-unavailable" };
    if (stock !== "in-stock") return { outcome: stock === "out-of-stock" ? stock : "amount-not-offered", card };
  }
  return { outcome: "sold", products };
}

async function stockOf(
  issuers: ReadonlyMap<string, CardIssuer>,
  { issuer, issuerProductId }: Product,
  facePence: Pence,
): Promise<StockAnswer | "silent"> {
  try {
    return (await issuers.get(issuer)?.checkStock({ issuerProductId, faceValuePence: facePence })) ?? "silent";
  } catch (error) {
    if (isIssuerUnavailable(error)) return "silent";
    throw error;
  }
}

async function findProducts(db: Db, cards: readonly WantedCard[]): Promise<Map<string, Product>> {
  const { rows } = await sql<Omit<Product, "amounts"> & Parameters<typeof readAmounts>[0]>`
    select id, public_id as "publicId", name, issuer, issuer_product_id as "issuerProductId",
      ${isProductSold} as "isSold", amounts_pence as amounts, min_pence as "minPence",
      max_pence as "maxPence", step_pence as "stepPence", issuer_discount_bp as "issuerDiscountBp",
      reward_kind as "rewardKind", reward_bp as "rewardBp", fee_pence as "feePence"
    from gift_card_products product where public_id = any(${cards.map(({ productPublicId }) => productPublicId)})`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.publicId, { ...row, amounts: readAmounts(row) }]));
}

interface Buyer {
  memberId: string | null;
  buyerMark: Buffer;
}

/**
 * Makes one buyer's orders wait for each other until the transaction ends, so that their limits hold together. A buyer is known by the
 * address and as a member, and each has a lock: the same person may order signed in and as a visitor.
 */
export async function lockBuyer(trx: Trx, { memberId, buyerMark }: Buyer): Promise<void> {
  const known = [buyerMark.toString("hex"), ...(memberId === null ? [] : [memberId])];
  for (const key of known.toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`gift-cards ${key}`}, 0))`.execute(trx);
}

interface Ordering extends Buyer {
  /** The widget session that orders; null: the club's own page. */
  sessionId: string | null;
  now: Date;
}

/** Returns which limit these cards would exceed; null: none. The caller has locked the buyer. */
export async function findLimitProblem(
  trx: Trx,
  { cards, ...buyer }: Ordering & { cards: readonly WantedCard[] },
): Promise<LimitProblem | null> {
  return limitProblem(
    cards.map(({ facePence }) => facePence),
    await orderedToday(trx, buyer),
  );
}

/** Holds for a line whose order is paid, with cashback or by card, or whose payment is at the bank. */
const isPaidFor = sql<boolean>`(orders.payout_id is not null or line.state not in ('awaiting_payment', 'cancelled')
  or exists (select from payments payment where payment.session_id = orders.session_id
    and payment.partner_id = orders.partner_id and payment.idempotency_key = 'gift-card-' || orders.id
    and payment.state in ('processing', 'paid', 'partly_refunded', 'refunded')))`;

/**
 * Counts what is paid, and the unpaid orders that the buyer's baskets still wait for. Any other unpaid order counts when it is paid (`boughtAround`):
 * anybody can order in another's address, and each change of a basket makes a further order.
 */
async function orderedToday(
  trx: Trx,
  { memberId, buyerMark, sessionId, now }: Ordering,
): Promise<{ pence: Pence; cards: number }> {
  const since = new Date(now.getTime() - DAY_MS);
  const frozenSince = new Date(now.getTime() - FROZEN_MS);
  const { rows } = await sql<{ pence: Pence; cards: number }>`
    select coalesce(sum(line.face_pence), 0)::bigint as pence, count(*)::int as cards
    from gift_card_orders orders join gift_card_lines line on line.order_id = orders.id
    where (orders.buyer_mark = ${buyerMark} or orders.member_id = ${memberId})
      and orders.placed_at > ${since} and line.state not in ('cancelled', 'refunded')
      and (${isPaidFor} or (orders.placed_at >= ${frozenSince} and orders.id in (
        select basket.order_id from gift_card_baskets basket join widget_sessions visit on visit.id = basket.session_id
        where visit.id = ${sessionId}::uuid or visit.member_id = ${memberId}::uuid)))`.execute(trx);
  return rows[0] ?? { pence: 0, cards: 0 };
}

/**
 * Returns what a buyer has bought within 24 hours of an order, before or after it, and how many orders within an hour of it: the order itself included, if
 * it is paid. Unpaid orders can be paid in any sequence, so those that were placed later count, too.
 */
export async function boughtAround(
  db: Db,
  { memberId, buyerMark, placedAt }: Buyer & { placedAt: Date },
): Promise<{ pence: Pence; cards: number; ordersInHour: number }> {
  const within = (ms: number) => sql<boolean>`(orders.placed_at > ${new Date(placedAt.getTime() - ms)}
    and orders.placed_at < ${new Date(placedAt.getTime() + ms)})`;
  const { rows } = await sql<{ pence: Pence; cards: number; ordersInHour: number }>`
    select coalesce(sum(line.face_pence) filter (where line.state not in ('cancelled', 'refunded')), 0)::bigint as pence,
      (count(*) filter (where line.state not in ('cancelled', 'refunded')))::int as cards,
      (count(distinct orders.id) filter (where ${within(HOUR_MS)}))::int as "ordersInHour"
    from gift_card_orders orders join gift_card_lines line on line.order_id = orders.id
    where (orders.buyer_mark = ${buyerMark} or orders.member_id = ${memberId})
      and ${within(DAY_MS)} and ${isPaidFor}`.execute(db);
  return rows[0] ?? { pence: 0, cards: 0, ordersInHour: 0 };
}

export type PricedCard = LinePrice & { product: Product; gift: Gift | null };

/**
 * Returns which of the cards was checked and is not sold any more; null: none. Asked in the transaction that stores the order or begins its
 * payment, because the issuer's answer takes time and a retailer may go under meanwhile.
 */
export async function findUnsoldCard(
  trx: Trx,
  cards: readonly WantedCard[],
  products: SoldProducts,
): Promise<CardProblem | null> {
  const ids = cards.map(({ productPublicId }) => products.get(productPublicId)?.id ?? "");
  const card = await findUnsold(trx, ids);
  return card === null ? null : { outcome: "not-sold", card };
}

/** Returns the cards with what each costs now. `products` has each of them (`checkCards`). */
export function priceCards(
  cards: readonly WantedCard[],
  products: SoldProducts,
  { isMember }: { isMember: boolean },
): PricedCard[] {
  return cards.map(({ productPublicId, facePence, gift = null }) => {
    const product = products.get(productPublicId) as Product;
    return { product, gift, ...priceOf(product, facePence, { isMember }) };
  });
}

export interface NewLines {
  /** A card payment in a partner's frame, or a payout of the member's (`payouts`). */
  paidWith: { partnerId: string; sessionId: string } | { payoutId: string };
  member: { id: string; brandId: string } | null;
  buyerMark: Buffer;
  idempotencyKey: string;
  lines: readonly PricedCard[];
  now: Date;
}

/** Stores an order with its lines, whose first step is due at once. Returns the order's public id. */
export async function insertLines(
  trx: Trx,
  { paidWith, member, buyerMark, idempotencyKey, lines, now }: NewLines,
): Promise<string> {
  const orderId = newId();
  const { public_id } = await trx
    .insertInto("gift_card_orders")
    .values({
      id: orderId,
      ...("payoutId" in paidWith
        ? { payout_id: paidWith.payoutId }
        : { partner_id: paidWith.partnerId, session_id: paidWith.sessionId }),
      idempotency_key: idempotencyKey,
      brand_id: member?.brandId ?? null,
      member_id: member?.id ?? null,
      buyer_mark: buyerMark,
      total_pence: sumPence(lines.map(({ pricePence, feePence }) => pricePence + feePence)),
      placed_at: now,
    })
    .returning("public_id")
    .executeTakeFirstOrThrow();
  await trx
    .insertInto("gift_card_lines")
    .values(
      lines.map(({ product, gift, facePence, pricePence, feePence, cashbackPence, costPence }, index) => ({
        id: newId(),
        order_id: orderId,
        line_number: index + 1,
        product_id: product.id,
        face_pence: facePence,
        price_pence: pricePence,
        fee_pence: feePence,
        cashback_pence: cashbackPence,
        cost_pence: costPence,
        gift: gift && JSON.stringify(gift),
        state: "awaiting_payment",
        next_step_at: now,
      })),
    )
    .execute();
  return public_id;
}
