import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { Pence } from "../money/money.ts";
import { findBuyersOrder, type BuyersLine, type OrderViewer } from "./buyer-orders.server.ts";
import { giftSchema, type Gift } from "./gift.ts";
import type { CardAmounts } from "./issuer.ts";
import { readAmounts } from "./line-row.server.ts";
import { pressOf } from "./press.server.ts";
import { isOffered, LIMITS, type Terms } from "./rules.ts";
import { isProductSold } from "./sold-products.server.ts";

export interface BasketLine extends Terms {
  publicId: string;
  slug: string;
  productPublicId: string;
  name: string;
  amounts: CardAmounts;
  facePence: Pence;
  gift: Gift | null;
  /** Why it can't be ordered any more; null: it can. */
  problem: "not-sold" | "amount-not-offered" | null;
}

export interface Basket {
  version: number;
  lines: BasketLine[];
  /** The order that was placed of exactly this basket and is not paid yet. */
  orderPublicId: string | null;
}

type LineRow = Omit<BasketLine, "amounts" | "problem" | "gift"> &
  Parameters<typeof readAmounts>[0] & { gift: unknown; isSold: boolean };

/** True for a basket whose order was paid, or whose payment is at the bank: what was in it is bought. */
const isBought = sql`exists (
  select from gift_card_orders bought join payments payment on payment.session_id = bought.session_id
    and payment.idempotency_key = 'gift-card-' || bought.id
    and payment.state in ('processing', 'paid', 'partly_refunded', 'refunded')
  where bought.id = basket.order_id)`;

/** Returns a session's basket. One that is bought is empty. */
export async function findBasket(db: Db | Trx, { sessionId }: { sessionId: string }): Promise<Basket> {
  const { rows } = await sql<{ version: number; order: string | null; lines: LineRow[] }>`
    select basket.version, orders.public_id as order, (
      select coalesce(jsonb_agg(jsonb_build_object('publicId', line.public_id, 'slug', product.slug,
        'productPublicId', product.public_id, 'name', product.name, 'amounts', product.amounts_pence,
        'minPence', product.min_pence, 'maxPence', product.max_pence, 'stepPence', product.step_pence,
        'issuerDiscountBp', product.issuer_discount_bp, 'rewardKind', product.reward_kind,
        'rewardBp', product.reward_bp, 'feePence', product.fee_pence, 'facePence', line.face_pence, 'gift', line.gift,
        'isSold', ${isProductSold}) order by line.line_number), '[]')
      from gift_card_basket_lines line join gift_card_products product on product.id = line.product_id
      where line.session_id = basket.session_id) as lines
    from gift_card_baskets basket left join gift_card_orders orders on orders.id = basket.order_id
    where basket.session_id = ${sessionId} and not ${isBought}`.execute(db);
  const [row] = rows;
  if (!row) return { version: 0, lines: [], orderPublicId: null };
  return { version: row.version, orderPublicId: row.order, lines: row.lines.map(toLine) };
}

function toLine({ amounts, minPence, maxPence, stepPence, isSold, gift, ...line }: LineRow): BasketLine {
  const offered = readAmounts({ amounts, minPence, maxPence, stepPence });
  const problem = !isSold ? "not-sold" : isOffered(offered, line.facePence) ? null : "amount-not-offered";
  return { ...line, amounts: offered, gift: gift === null ? null : giftSchema.parse(gift), problem };
}

/** Returns how many cards a session's basket holds. */
export async function countBasket(db: Db, { sessionId }: { sessionId: string }): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from gift_card_baskets basket
    join gift_card_basket_lines line on line.session_id = basket.session_id
    where basket.session_id = ${sessionId} and not ${isBought}`.execute(db);
  return rows[0]?.count ?? 0;
}

export type BasketAnswer =
  | "done"
  /** The basket holds as many cards as an order may. */
  | "full"
  | "not-sold"
  | "amount-not-offered"
  /** Above what one card may be worth (LIMITS.cardPence). */
  | "card-too-large"
  /** The line is not in the basket any more: another tab has removed it. */
  | "gone";

type LineAnswer =
  | BasketAnswer
  /** The same press has done it before: nothing changes. */
  | "repeated";

/**
 * Adds a card. Cards of the same kind are lines of their own: each may be another's present. The same card with the same `idempotencyKey` is added once: a
 * form that is sent twice says "done" twice. Without a key each is another card.
 */
export async function addToBasket(
  db: Db,
  {
    sessionId,
    idempotencyKey = null,
    ...card
  }: { sessionId: string; slug: string; facePence: Pence; idempotencyKey?: string | null },
): Promise<BasketAnswer> {
  const press = idempotencyKey && pressOf(idempotencyKey, [card.slug, String(card.facePence)]);
  const answer = await change(db, sessionId, (trx) => addLine(trx, sessionId, { ...card, press }));
  return answer === "repeated" ? "done" : answer;
}

/**
 * Adds the cards of an order again, as the buyer's own: whoever got one as a present is not asked for twice. With the same `idempotencyKey` they are added
 * once.
 * @returns how many were added and how many were left out, because they are not sold with that value any more or an order holds no more cards; null:
 *   the viewer has no such order
 */
export async function addOrderAgain(
  db: Db,
  {
    sessionId,
    orderPublicId,
    viewer,
    idempotencyKey = null,
  }: { sessionId: string; orderPublicId: string; viewer: OrderViewer; idempotencyKey?: string | null },
): Promise<{ added: number; left: number; presents: number } | null> {
  const order = await findBuyersOrder(db, { publicId: orderPublicId, viewer });
  if (!order) return null;
  const added: BuyersLine[] = [];
  await change(db, sessionId, async (trx) => {
    let isChanged = false;
    for (const line of order.lines) {
      const press = idempotencyKey && pressOf(idempotencyKey, [orderPublicId, line.publicId]);
      const answer = await addLine(trx, sessionId, { slug: line.cardSlug, facePence: line.facePence, press });
      if (answer === "done" || answer === "repeated") added.push(line);
      isChanged ||= answer === "done";
    }
    return isChanged ? "done" : "repeated";
  });
  return {
    added: added.length,
    left: order.lines.length - added.length,
    presents: added.filter(({ gift }) => gift !== null).length,
  };
}

async function addLine(
  trx: Trx,
  sessionId: string,
  { slug, facePence, press }: { slug: string; facePence: Pence; press: string | null },
): Promise<LineAnswer> {
  if (press && (await isAdded(trx, { sessionId, press }))) return "repeated";
  const product = await findProduct(trx, { slug });
  const problem = product ? amountProblem(product, facePence) : "not-sold";
  if (!product || problem) return problem ?? "not-sold";
  const { rows } = await sql`
    insert into gift_card_basket_lines (id, session_id, line_number, product_id, face_pence, idempotency_key)
    select ${newId()}, ${sessionId}, min(free), ${product.id}, ${facePence}, ${press}
    from generate_series(1, ${LIMITS.orderLines}::int) free
    where not exists (select from gift_card_basket_lines where session_id = ${sessionId} and line_number = free)
    having min(free) is not null returning id`.execute(trx);
  return rows.length === 0 ? "full" : "done";
}

async function isAdded(trx: Trx, { sessionId, press }: { sessionId: string; press: string }): Promise<boolean> {
  const { rows } = await sql`
    select from gift_card_basket_lines where session_id = ${sessionId} and idempotency_key = ${press}`.execute(trx);
  return rows.length > 0;
}

/** Changes a line's value. */
export async function changeAmount(
  db: Db,
  { sessionId, line, facePence }: { sessionId: string; line: string; facePence: Pence },
): Promise<BasketAnswer> {
  return change(db, sessionId, async (trx) => {
    const product = await findProduct(trx, { sessionId, line });
    if (!product) return "gone";
    return amountProblem(product, facePence) ?? updateLine(trx, { sessionId, line }, sql`face_pence = ${facePence}`);
  });
}

/** Makes a line a present, or takes that back with null. */
export async function setGift(
  db: Db,
  { sessionId, line, gift }: { sessionId: string; line: string; gift: Gift | null },
): Promise<BasketAnswer> {
  const text = gift && JSON.stringify(gift);
  return change(db, sessionId, (trx) => updateLine(trx, { sessionId, line }, sql`gift = ${text}::jsonb`));
}

/** Removes a line. One that is gone already is removed. */
export async function removeFromBasket(
  db: Db,
  { sessionId, line }: { sessionId: string; line: string },
): Promise<BasketAnswer> {
  return change(db, sessionId, async (trx) => {
    await trx
      .deleteFrom("gift_card_basket_lines")
      .where("session_id", "=", sessionId)
      .where("public_id", "=", line)
      .execute();
    return "done";
  });
}

/**
 * Gives a new visit the basket of the same login's visit before: each load of the club's own gift-card page is a visit of its own. The basket moves
 * with its order, so that in both tabs it is ordered and paid once. What was bought stays where it is. Nothing is carried to a visitor's frame or
 * to a partner's.
 */
export async function carryBasket(db: Db, { sessionId }: { sessionId: string }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ visit: string }>`
      select basket.session_id as visit
      from widget_sessions own join widget_sessions visit on visit.member_session_id = own.member_session_id and visit.id <> own.id
        join gift_card_baskets basket on basket.session_id = visit.id
      where own.id = ${sessionId} order by visit.opened_at desc, visit.id desc limit 1
      for update of basket`.execute(trx);
    const [previous] = rows;
    if (!previous) return;
    // The lock above waits for an order that is being placed; what it has written is read here.
    const { numAffectedRows } = await sql`
      insert into gift_card_baskets (session_id, version, order_id)
      select ${sessionId}, version, order_id from gift_card_baskets basket
      where session_id = ${previous.visit} and not ${isBought}`.execute(trx);
    if (numAffectedRows === 0n) return;
    await sql`update gift_card_basket_lines set session_id = ${sessionId} where session_id = ${previous.visit}`.execute(
      trx,
    );
    await sql`delete from gift_card_baskets where session_id = ${previous.visit}`.execute(trx);
  });
}

/** Forgets what is bought. The basket of an order that nobody pays stays. */
export async function forgetBought(db: Db | Trx, { sessionId }: { sessionId: string }): Promise<void> {
  await sql`delete from gift_card_baskets basket where session_id = ${sessionId} and ${isBought}`.execute(db);
}

/** Changes a basket, one request after the other. A change that is refused or repeated leaves its version. */
async function change<Answer extends LineAnswer>(
  db: Db,
  sessionId: string,
  act: (trx: Trx) => Promise<Answer>,
): Promise<Answer> {
  return db.transaction().execute(async (trx) => {
    await forgetBought(trx, { sessionId });
    // The update locks the row, so that the free places of two requests are not the same.
    await sql`insert into gift_card_baskets (session_id) values (${sessionId})
      on conflict (session_id) do update set version = gift_card_baskets.version`.execute(trx);
    const answer = await act(trx);
    if (answer === "done")
      await sql`update gift_card_baskets set version = version + 1, order_id = null where session_id = ${sessionId}`.execute(
        trx,
      );
    return answer;
  });
}

interface FoundProduct {
  id: string;
  isSold: boolean;
  amounts: CardAmounts;
}

async function findProduct(
  trx: Trx,
  by: { slug: string } | { sessionId: string; line: string },
): Promise<FoundProduct | null> {
  const where =
    "slug" in by
      ? sql`product.slug = ${by.slug}`
      : sql`product.id = (select product_id from gift_card_basket_lines
          where session_id = ${by.sessionId} and public_id = ${by.line})`;
  const { rows } = await sql<Omit<FoundProduct, "amounts"> & Parameters<typeof readAmounts>[0]>`
    select product.id, ${isProductSold} as "isSold",
      product.amounts_pence as amounts, product.min_pence as "minPence", product.max_pence as "maxPence",
      product.step_pence as "stepPence"
    from gift_card_products product where ${where}`.execute(trx);
  const [row] = rows;
  return row ? { id: row.id, isSold: row.isSold, amounts: readAmounts(row) } : null;
}

function amountProblem({ isSold, amounts }: FoundProduct, facePence: Pence): BasketAnswer | null {
  if (!isSold) return "not-sold";
  if (!Number.isSafeInteger(facePence) || !isOffered(amounts, facePence)) return "amount-not-offered";
  return facePence > LIMITS.cardPence ? "card-too-large" : null;
}

async function updateLine(
  trx: Trx,
  { sessionId, line }: { sessionId: string; line: string },
  set: ReturnType<typeof sql>,
): Promise<BasketAnswer> {
  const { numAffectedRows } = await sql`
    update gift_card_basket_lines set ${set} where session_id = ${sessionId} and public_id = ${line}`.execute(trx);
  return numAffectedRows === 1n ? "done" : "gone";
}
