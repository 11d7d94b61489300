import { isDeepStrictEqual } from "node:util";
import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { recipientSchema } from "../mails/recipient.ts";
import { sumPence, type Pence } from "../money/money.ts";
import type { WidgetSession } from "../partners/widget-session.server.ts";
import type { CardProvider } from "../payments/provider.ts";
import { startPayment, type StartedPayment } from "../payments/start-payment.server.ts";
import type { Gift } from "./gift.ts";
import { IssuerUnavailableError, type CardAmounts, type CardIssuer, type StockAnswer } from "./issuer.ts";
import { paymentKey, readAmounts } from "./line-row.server.ts";
import { FROZEN_MS, isOffered, limitProblem, priceOf, type LimitProblem, type LinePrice } from "./rules.ts";

type OrderSession = Pick<WidgetSession, "id" | "partner" | "reference" | "mode" | "price">;

export interface NewOrder {
  session: OrderSession;
  /** Null: a visitor without an account. */
  member: { id: string; brandId: string } | null;
  /** The keyed hash of the buyer's e-mail address (`markOfBuyer`). */
  buyerMark: Buffer;
  /** Where a visitor's receipt goes; a member's goes to the member's address, and the partner's choice comes first. */
  email?: string | null;
  /** A card with a gift is a present: its code goes to somebody else. */
  cards: readonly { productPublicId: string; facePence: Pence; gift?: Gift | null }[];
  /** Created by the page once per order; sending it again returns the same order. */
  idempotencyKey: string;
  now: Date;
}

export interface PlacedOrder {
  outcome: "placed";
  publicId: string;
  totalPence: Pence;
  lines: (LinePrice & { publicId: string })[];
}

export type OrderAnswer =
  | PlacedOrder
  /** The key was used for other cards. */
  | { outcome: "key-taken" }
  | { outcome: LimitProblem }
  /** The number of the card in the order, from 0. */
  | { outcome: "not-sold" | "amount-not-offered" | "out-of-stock"; card: number }
  /** The issuer does not answer, so nothing is sold now. */
  | { outcome: "issuer-unavailable" }
  /** A partner's test key orders no cards: the issuer would make real ones. */
  | { outcome: "test-mode" }
  | { outcome: "empty" };

interface Product {
  id: string;
  publicId: string;
  issuer: string;
  issuerProductId: string;
  isSold: boolean;
  amounts: CardAmounts;
  issuerDiscountBp: number;
  rewardKind: "discount" | "cashback";
  rewardBp: number;
  feePence: Pence;
}

/**
 * Places an order (G4): checks amounts, stock and limits, and freezes price and discount. Nothing is charged. The same
 * key returns the same order.
 */
export async function placeOrder(
  db: Db,
  issuers: ReadonlyMap<string, CardIssuer>,
  order: NewOrder,
): Promise<OrderAnswer> {
  if (order.cards.length === 0) return { outcome: "empty" };
  if (order.session.mode !== "live") return { outcome: "test-mode" };
  const before = await findPlaced(db, order);
  if (before) return before;
  const products = await findProducts(db, order);
  for (const [card, { productPublicId, facePence }] of order.cards.entries()) {
    const product = products.get(productPublicId);
    if (!product?.isSold) return { outcome: "not-sold", card };
    if (!Number.isSafeInteger(facePence) || !isOffered(product.amounts, facePence))
      return { outcome: "amount-not-offered", card };
    const stock = await stockOf(issuers, product, facePence);
    if (stock === "silent") return { outcome: "issuer-unavailable" };
    if (stock !== "in-stock") return { outcome: stock === "out-of-stock" ? stock : "amount-not-offered", card };
  }
  return db.transaction().execute((trx) => insertOrder(trx, order, products));
}

async function stockOf(
  issuers: ReadonlyMap<string, CardIssuer>,
  { issuer, issuerProductId }: Product,
  facePence: Pence,
): Promise<StockAnswer | "silent"> {
  try {
    return (await issuers.get(issuer)?.checkStock({ issuerProductId, faceValuePence: facePence })) ?? "silent";
  } catch (error) {
    if (error instanceof IssuerUnavailableError) return "silent";
    throw error;
  }
}

async function findProducts(db: Db, { cards }: NewOrder): Promise<Map<string, Product>> {
  const { rows } = await sql<Omit<Product, "amounts"> & Parameters<typeof readAmounts>[0]>`
    select id, public_id as "publicId", issuer, issuer_product_id as "issuerProductId",
      withdrawn_at is null and stopped_at is null as "isSold", amounts_pence as amounts, min_pence as "minPence",
      max_pence as "maxPence", step_pence as "stepPence", issuer_discount_bp as "issuerDiscountBp",
      reward_kind as "rewardKind", reward_bp as "rewardBp", fee_pence as "feePence"
    from gift_card_products where public_id = any(${cards.map(({ productPublicId }) => productPublicId)})`.execute(db);
  return new Map(rows.map((row) => [row.publicId, { ...row, amounts: readAmounts(row) }]));
}

async function insertOrder(trx: Trx, order: NewOrder, products: ReadonlyMap<string, Product>): Promise<OrderAnswer> {
  const { session, member, buyerMark, cards, idempotencyKey, now } = order;
  // One buyer's orders are placed one after the other, so that their limits hold together.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`gift-cards ${member?.id ?? buyerMark.toString("hex")}`}, 0))`.execute(
    trx,
  );
  const before = await findPlaced(trx, order);
  if (before) return before;
  const limit = limitProblem(
    cards.map(({ facePence }) => facePence),
    await orderedToday(trx, order),
  );
  if (limit) return { outcome: limit };
  const lines = cards.map(({ productPublicId, facePence, gift = null }) => {
    const product = products.get(productPublicId) as Product;
    return { product, gift, ...priceOf(product, facePence, { isMember: member !== null }) };
  });
  const orderId = newId();
  await trx
    .insertInto("gift_card_orders")
    .values({
      id: orderId,
      partner_id: session.partner.id,
      session_id: session.id,
      idempotency_key: idempotencyKey,
      brand_id: member?.brandId ?? null,
      member_id: member?.id ?? null,
      buyer_mark: buyerMark,
      total_pence: sumPence(lines.map(({ pricePence, feePence }) => pricePence + feePence)),
      placed_at: now,
    })
    .execute();
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
  const to = recipientSchema.safeParse(order.email);
  if (member === null && to.success)
    await trx
      .updateTable("widget_sessions")
      .set({ email: to.data })
      .where("id", "=", session.id)
      .where("amount_pence", "is", null)
      .execute();
  return (await findPlaced(trx, order)) as PlacedOrder;
}

async function orderedToday(trx: Trx, { member, buyerMark, now }: NewOrder): Promise<{ pence: Pence; cards: number }> {
  const since = new Date(now.getTime() - 24 * 3_600_000);
  const { rows } = await sql<{ pence: Pence; cards: number }>`
    select coalesce(sum(line.face_pence), 0)::bigint as pence, count(*)::int as cards
    from gift_card_orders orders join gift_card_lines line on line.order_id = orders.id
    where (orders.buyer_mark = ${buyerMark} or orders.member_id = ${member?.id ?? null})
      and orders.placed_at > ${since} and line.state not in ('cancelled', 'refunded')`.execute(trx);
  return rows[0] ?? { pence: 0, cards: 0 };
}

/** Returns the order that the same key has placed before, if it is of the same cards. */
async function findPlaced(db: Db | Trx, order: NewOrder): Promise<PlacedOrder | { outcome: "key-taken" } | null> {
  const { rows } = await sql<
    LinePrice & { order: string; totalPence: Pence; publicId: string; product: string; gift: Gift | null }
  >`
    select orders.public_id as "order", orders.total_pence as "totalPence", line.public_id as "publicId",
      product.public_id as product, line.gift, line.face_pence as "facePence", line.price_pence as "pricePence",
      line.fee_pence as "feePence", line.cashback_pence as "cashbackPence", line.cost_pence as "costPence"
    from gift_card_orders orders join gift_card_lines line on line.order_id = orders.id
      join gift_card_products product on product.id = line.product_id
    where orders.session_id = ${order.session.id} and orders.idempotency_key = ${order.idempotencyKey}
    order by line.line_number`.execute(db);
  const [first] = rows;
  if (!first) return null;
  const isSame =
    rows.length === order.cards.length &&
    rows.every(({ product, facePence, gift }, index) => {
      const card = order.cards[index];
      const isSameCard = card?.productPublicId === product && card.facePence === facePence;
      return isSameCard && isDeepStrictEqual(card.gift ?? null, gift);
    });
  if (!isSame) return { outcome: "key-taken" };
  const lines = rows.map(({ order: _order, totalPence: _total, product: _product, gift: _gift, ...line }) => line);
  return { outcome: "placed", publicId: first.order, totalPence: first.totalPence, lines };
}

export type PaidOrder = StartedPayment | { outcome: "no-such-order" } | { outcome: "checkout-expired" };

/**
 * Begins the payment of an order, for the session that placed it. May be repeated: there is one payment per order,
 * because its key is derived from the order.
 * @throws CardProviderUnavailableError, CardProviderRefusalError
 */
export async function payOrder(
  db: Db,
  cards: CardProvider,
  { session, orderPublicId, now }: { session: OrderSession; orderPublicId: string; now: Date },
): Promise<PaidOrder> {
  const order = await db
    .selectFrom("gift_card_orders")
    .select(["id", "total_pence as totalPence", "placed_at as placedAt"])
    .where("public_id", "=", orderPublicId)
    .where("session_id", "=", session.id)
    .executeTakeFirst();
  if (!order) return { outcome: "no-such-order" };
  if (now.getTime() - order.placedAt.getTime() > FROZEN_MS) return { outcome: "checkout-expired" };
  const started = await startPayment(db, cards, {
    // The order has fixed the price; what the partner fixed is for something else.
    session: { ...session, price: null },
    amountPence: order.totalPence,
    reference: `Gift cards ${orderPublicId}`,
    idempotencyKey: paymentKey(order.id),
    now,
  });
  if (started.outcome === "started")
    await sql`
      update gift_card_orders set payment_id = (select id from payments where public_id = ${started.publicId})
      where id = ${order.id} and payment_id is null`.execute(db);
  return started;
}
