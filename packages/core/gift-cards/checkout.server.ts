import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { recipientSchema } from "../mails/recipient.ts";
import { priceOf as fixedPriceOf, type PriceColumns } from "../partners/fixed-price.ts";
import type { PartnerMode } from "../partners/mode.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { findBasket, type Basket } from "./basket.server.ts";
import type { FramedMember } from "../partners/widget-session.server.ts";
import { markOfBuyer } from "./card-seal.ts";
import { sendDayProblem } from "./gift.ts";
import type { CardIssuer } from "./issuer.ts";
import { checkOrder, insertOrder, type NewOrder, type OrderAnswer, type PlacedOrder } from "./place-order.server.ts";
import { FROZEN_MS } from "./rules.ts";
import { hasUnsoldLine } from "./sold-products.server.ts";

export interface Checkout {
  sessionId: string;
  member: FramedMember | null;
  /** Where a visitor wants the receipt; ignored where the member's or the partner's address is known. */
  email: string;
  /** The basket that the page has shown. */
  version: number;
  /** Created by the page; sending it again returns the same order. */
  idempotencyKey: string;
  now: Date;
}

export type CheckoutAnswer =
  | { outcome: "placed"; publicId: string }
  /** Another tab has changed the basket: the buyer looks at it again. */
  | { outcome: "changed" }
  | { outcome: "no-email" }
  /** The day on which this card's present was to go is over. */
  | { outcome: "present-too-late"; card: number }
  | Exclude<OrderAnswer, PlacedOrder>;

/**
 * Places an order of a session's basket (G2). The basket stays until the order is paid, so that nothing is lost by an
 * error or a change of mind; the same basket is the same order for as long as its price holds, also from two tabs at once.
 */
export async function checkOut(
  db: Db,
  { issuers, keys }: { issuers: ReadonlyMap<string, CardIssuer>; keys: SecretKeys },
  checkout: Checkout,
): Promise<CheckoutAnswer> {
  const { sessionId, member, idempotencyKey, now } = checkout;
  const basket = await findBasketToOrder(db, checkout);
  if ("outcome" in basket) return basket;
  const session = await findOrderSession(db, { sessionId });
  const email = await addressOf(db, { session, member, typed: checkout.email });
  if (!session || email === null) return { outcome: "no-email" };
  const late = basket.lines.findIndex(({ gift }) => gift && sendDayProblem(gift.sendOn, now) !== null);
  if (late >= 0) return { outcome: "present-too-late", card: late };
  const order: NewOrder = {
    ...{ session, member, email, buyerMark: markOfBuyer(email, keys), idempotencyKey, now },
    cards: basket.lines.map(({ productPublicId, facePence, gift }) => ({ productPublicId, facePence, gift })),
  };
  const checked = await checkOrder(db, issuers, order);
  if (checked.outcome !== "sold") return checked;
  return db.transaction().execute(async (trx) => {
    // While the issuers answered, another tab may have placed the order or changed the basket.
    await sql`select from gift_card_baskets where session_id = ${sessionId} for update`.execute(trx);
    const still = await findBasketToOrder(trx, checkout);
    if ("outcome" in still) return still;
    const placed = await insertOrder(trx, order, checked.products);
    if (placed.outcome !== "placed") return placed;
    await sql`
      update gift_card_baskets set order_id = (select id from gift_card_orders where public_id = ${placed.publicId})
      where session_id = ${sessionId}`.execute(trx);
    return { outcome: "placed", publicId: placed.publicId };
  });
}

/** Returns the basket that the page has shown, if it is still to be ordered; otherwise the answer. */
async function findBasketToOrder(
  db: Db | Trx,
  { sessionId, version, idempotencyKey, now }: Checkout,
): Promise<Basket | Extract<CheckoutAnswer, { outcome: "placed" | "changed" }>> {
  const before = await findOrderOfKey(db, { sessionId, idempotencyKey });
  if (before !== null) return { outcome: "placed", publicId: before };
  const basket = await findBasket(db, { sessionId });
  if (basket.version !== version) return { outcome: "changed" };
  const open = basket.orderPublicId && (await findOpenOrder(db, { publicId: basket.orderPublicId, now }));
  return open ? { outcome: "placed", publicId: open } : basket;
}

/** Returns the order that a key has placed; null: none. */
async function findOrderOfKey(
  db: Db | Trx,
  { sessionId, idempotencyKey }: { sessionId: string; idempotencyKey: string },
): Promise<string | null> {
  const row = await db
    .selectFrom("gift_card_orders")
    .select("public_id")
    .where("session_id", "=", sessionId)
    .where("idempotency_key", "=", idempotencyKey)
    .executeTakeFirst();
  return row?.public_id ?? null;
}

/** Returns an order that can still be paid at its price; null: it can't, or a card of it is not sold any more. */
async function findOpenOrder(db: Db | Trx, { publicId, now }: { publicId: string; now: Date }): Promise<string | null> {
  const row = await db
    .selectFrom("gift_card_orders")
    .select("public_id")
    .where("public_id", "=", publicId)
    .where("placed_at", ">=", new Date(now.getTime() - FROZEN_MS))
    .executeTakeFirst();
  if (!row || (await hasUnsoldLine(db, { orderPublicId: row.public_id }))) return null;
  return row.public_id;
}

type OrderSession = NewOrder["session"];

/** Returns what an order needs of a widget session; null: it is gone. */
export async function findOrderSession(db: Db, { sessionId }: { sessionId: string }): Promise<OrderSession | null> {
  const { rows } = await sql<SessionRow>`
    select session.id, session.reference, session.mode, session.amount_pence as "amountPence", session.description,
      session.email, partner.id as "partnerId", partner.public_id as "partnerPublicId", partner.name as "partnerName"
    from widget_sessions session join partners partner on partner.id = session.partner_id
    where session.id = ${sessionId}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const partner = { id: row.partnerId, publicId: row.partnerPublicId, name: row.partnerName };
  return { id: row.id, partner, reference: row.reference, mode: row.mode, price: fixedPriceOf(row) };
}

interface SessionRow extends PriceColumns {
  id: string;
  mode: PartnerMode;
  partnerId: string;
  partnerPublicId: string;
  partnerName: string;
}

/** Returns whether the buyer's address is known, so that the page does not ask for it. */
export async function knowsAddress(
  db: Db,
  { sessionId, member }: { sessionId: string; member: FramedMember | null },
): Promise<boolean> {
  const session = await findOrderSession(db, { sessionId });
  return (await addressOf(db, { session, member, typed: "" })) !== null;
}

async function addressOf(
  db: Db,
  { session, member, typed }: { session: OrderSession | null; member: FramedMember | null; typed: string },
): Promise<string | null> {
  const known = member
    ? await db
        .selectFrom("members")
        .select("email")
        .where("id", "=", member.id)
        .where("brand_id", "=", member.brandId)
        .executeTakeFirst()
    : { email: session?.price?.email ?? typed.trim() };
  const read = recipientSchema.safeParse(known?.email);
  return read.success ? read.data : null;
}
