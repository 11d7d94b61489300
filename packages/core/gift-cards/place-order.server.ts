import { isDeepStrictEqual } from "node:util";
import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { recipientSchema } from "../mails/recipient.ts";
import type { Pence } from "../money/money.ts";
import type { WidgetSession } from "../partners/widget-session.server.ts";
import type { CardProvider } from "../payments/provider.ts";
import { startPayment, type StartedPayment } from "../payments/start-payment.server.ts";
import type { Gift } from "./gift.ts";
import type { CardIssuer } from "./issuer.ts";
import { paymentKey } from "./line-row.server.ts";
import { isOrderedIn } from "./return-to-order.server.ts";
import {
  checkCards,
  findLimitProblem,
  findUnsoldCard,
  insertLines,
  lockBuyer,
  priceCards,
  type CardProblem,
  type SoldProducts,
} from "./order-cards.server.ts";
import { FROZEN_MS, type LimitProblem, type LinePrice } from "./rules.ts";
import { hasUnsoldLine } from "./sold-products.server.ts";

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
  | CardProblem
  /** A partner's test key orders no cards: the issuer would make real ones. */
  | { outcome: "test-mode" }
  | { outcome: "empty" };

/**
 * Places an order (G4): checks amounts, stock and limits, and freezes price and discount. Nothing is charged. The same
 * key returns the same order.
 */
export async function placeOrder(
  db: Db,
  issuers: ReadonlyMap<string, CardIssuer>,
  order: NewOrder,
): Promise<OrderAnswer> {
  const before = await findPlaced(db, order);
  if (before) return before;
  const checked = await checkOrder(db, issuers, order);
  if (checked.outcome !== "sold") return checked;
  return db.transaction().execute((trx) => insertOrder(trx, order, checked.products));
}

/** Checks what an order needs before it is placed, and asks the issuers for their stock. Holds no lock while they answer. */
export async function checkOrder(
  db: Db,
  issuers: ReadonlyMap<string, CardIssuer>,
  { cards, session }: Pick<NewOrder, "cards" | "session">,
): Promise<{ outcome: "sold"; products: SoldProducts } | CardProblem | { outcome: "test-mode" | "empty" }> {
  if (cards.length === 0) return { outcome: "empty" };
  if (session.mode !== "live") return { outcome: "test-mode" };
  return checkCards(db, issuers, cards);
}

/** Places an order of cards that were checked. */
export async function insertOrder(trx: Trx, order: NewOrder, products: SoldProducts): Promise<OrderAnswer> {
  const { session, member, buyerMark, cards, idempotencyKey, now } = order;
  const buyer = { memberId: member?.id ?? null, buyerMark };
  await lockBuyer(trx, buyer);
  const before = await findPlaced(trx, order);
  if (before) return before;
  const limit = await findLimitProblem(trx, { ...buyer, cards, sessionId: session.id, now });
  if (limit) return { outcome: limit };
  const unsold = await findUnsoldCard(trx, cards, products);
  if (unsold) return unsold;
  await insertLines(trx, {
    paidWith: { partnerId: session.partner.id, sessionId: session.id },
    ...{ member, buyerMark, idempotencyKey, now },
    lines: priceCards(cards, products, { isMember: member !== null }),
  });
  const to = recipientSchema.safeParse(order.email);
  if (member === null && to.success) await noteBuyersAddress(trx, { session, idempotencyKey, email: to.data });
  return (await findPlaced(trx, order)) as PlacedOrder;
}

/** Stores where the mails about a visitor's order go, unless the partner gave an address with the price. */
async function noteBuyersAddress(
  trx: Trx,
  { session, idempotencyKey, email }: Pick<NewOrder, "session" | "idempotencyKey"> & { email: string },
): Promise<void> {
  await sql`
    update gift_card_orders orders set buyer_email = ${email}
    where orders.session_id = ${session.id} and orders.idempotency_key = ${idempotencyKey}
      and not exists (select from widget_sessions visit
        where visit.id = orders.session_id and visit.amount_pence is not null and visit.email is not null)`.execute(
    trx,
  );
  // Processes of the version before 0096 read the address here.
  await trx
    .updateTable("widget_sessions")
    .set({ email })
    .where("id", "=", session.id)
    .where("amount_pence", "is", null)
    .execute();
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

export interface OrderToPay {
  session: OrderSession;
  /** The member in whose frame it is paid; null: a visitor. */
  memberId?: string | null;
  orderPublicId: string;
  now: Date;
}

export type PaidOrder = StartedPayment | { outcome: "no-such-order" } | { outcome: "checkout-expired" | "not-sold" };

/**
 * Begins the payment of an order, for the session that placed it or has come back to it from a bank, and for the member who placed it in another tab.
 * May be repeated: there is one payment per order, because its key is derived from the order. `not-sold`: a card of it is not sold any more, and
 * nothing is charged.
 * @throws CardProviderUnavailableError, CardProviderRefusalError
 */
export async function payOrder(
  db: Db,
  cards: CardProvider,
  { session, memberId = null, orderPublicId, now }: OrderToPay,
): Promise<PaidOrder> {
  const order = await db
    .selectFrom("gift_card_orders as orders")
    .select(["id", "session_id as sessionId", "total_pence as totalPence", "placed_at as placedAt"])
    .where("public_id", "=", orderPublicId)
    .where("partner_id", "=", session.partner.id)
    .where((where) => where.or([isOrderedIn(session.id), where("member_id", "=", memberId)]))
    .executeTakeFirst();
  if (!order || order.sessionId === null) return { outcome: "no-such-order" };
  if (now.getTime() - order.placedAt.getTime() > FROZEN_MS) return { outcome: "checkout-expired" };
  if (await hasUnsoldLine(db, { orderPublicId })) return { outcome: "not-sold" };
  const started = await startPayment(db, cards, {
    // The order has fixed the price; what the partner fixed is for something else. Its payment is in its own session.
    session: { ...session, id: order.sessionId, price: null },
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
