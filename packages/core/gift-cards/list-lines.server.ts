import { sql, type RawBuilder } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import type { Pence } from "../money/money.ts";
import type { TroubledStatus } from "./retailer-trouble.ts";
import type { CardState, LineState } from "./rules.ts";
import { isProductSold, retailerTrouble } from "./sold-products.server.ts";

/** A line of an order as operators list it. */
export interface OperatorLine {
  publicId: string;
  orderPublicId: string;
  product: string;
  issuer: string;
  state: LineState;
  cardState: CardState;
  reason: string | null;
  facePence: Pence;
  paidPence: Pence;
  lastError: string | null;
  placedAt: Date;
  /** Null: bought by a visitor. */
  memberId: string | null;
  memberNumber: string | null;
  /** Where the mails about a visitor's order go; null: a member's order, or the address is deleted. */
  visitorEmail: string | null;
}

export interface LineFilters {
  /** The number of an order, a line or a member, or the whole address of the buyer. */
  q?: string;
  /** "person": held lines, and those that fail again and again. */
  waits?: string;
  state?: string;
  issuer?: string;
}

/** Holds for lines that a person looks at. The index gift_card_lines_for_person has it, and the home page counts by it. */
const waitsForPerson = (
  attempts: number,
) => sql`(line.state = 'held' or (line.state in ('issuing', 'reversing', 'refunding') and line.attempts > ${attempts}::integer)
  or (line.state in ('refunded', 'charged_back') and line.card_state = 'possible'))`;

/**
 * Returns how lines are listed and found: by the order in which they were placed.
 * @param attempts after more than these a line that still fails waits for a person (core/thresholds)
 */
export function lineList({ q, waits, state, issuer }: LineFilters, attempts: number): ListQuery<"placed"> {
  const where: RawBuilder<unknown>[] = [];
  if (waits === "person") where.push(waitsForPerson(attempts));
  if (state) where.push(sql`line.state = ${state}`);
  if (issuer) where.push(sql`product.issuer = ${issuer}`);
  if (q)
    where.push(sql`line.id in (
      select id from gift_card_lines where public_id = ${q}
      union select own.id from gift_card_orders placed join gift_card_lines own on own.order_id = placed.id
        where placed.public_id = ${q}
      union select own.id from members member join gift_card_orders placed on placed.member_id = member.id
        join gift_card_lines own on own.order_id = placed.id where member.member_number = ${q.toUpperCase()}
      ${q.includes("@") ? ofAddress(q.trim().toLowerCase()) : sql``})`);
  return {
    from: sql`gift_card_lines line join gift_card_orders orders on orders.id = line.order_id
      join gift_card_products product on product.id = line.product_id left join members member on member.id = orders.member_id`,
    select: sql`line.public_id as "publicId", orders.public_id as "orderPublicId", product.name as product, product.issuer,
      line.state, line.card_state as "cardState", line.reason, line.face_pence as "facePence",
      line.price_pence + line.fee_pence as "paidPence", line.last_error as "lastError", orders.placed_at as "placedAt",
      orders.member_id as "memberId", member.member_number as "memberNumber",
      case when orders.member_id is null then coalesce(orders.buyer_email,
        (select visit.email from widget_sessions visit where visit.id = orders.session_id)) end as "visitorEmail"`,
    where,
    // Ids are in the order of their making.
    sorts: { placed: { by: sql`line.id`, type: "uuid" } },
    id: { by: sql`line.id`, type: "uuid" },
  };
}

/** The lines of buyers with this address. A visitor's is the one that the mails about the order go to (announce-order.server.ts). Each branch has an index. */
function ofAddress(email: string): RawBuilder<unknown> {
  return sql`
    union select own.id from gift_card_orders placed join gift_card_lines own on own.order_id = placed.id
      where lower(placed.buyer_email) = ${email}
    union select own.id from widget_sessions visit join gift_card_orders placed on placed.session_id = visit.id
        and placed.member_id is null and placed.buyer_email is null
      join gift_card_lines own on own.order_id = placed.id where lower(visit.email) = ${email}
    union select own.id from member_emails address join gift_card_orders placed on placed.member_id = address.member_id
      join gift_card_lines own on own.order_id = placed.id where address.email = ${email}`;
}

/** A product as operators list it. */
export interface OperatorProduct {
  publicId: string;
  issuer: string;
  issuerProductId: string;
  name: string;
  issuerDiscountBp: number;
  rewardKind: "discount" | "cashback";
  rewardBp: number;
  isReversible: boolean;
  syncedAt: Date;
  withdrawnAt: Date | null;
  stoppedAt: Date | null;
  stoppedBecause: string | null;
  isInsolvent: boolean;
  /** The state of its retailer for which it is not sold; null: it may be. */
  retailerTrouble: TroubledStatus | null;
}

export interface ProductFilters {
  /** Part of its name, or the issuer's id. */
  q?: string;
  issuer?: string;
  /** "sold", "stopped", "retailer" (for its retailer's state), "insolvent" or "withdrawn". */
  state?: string;
}

/** Returns how products are listed. There are some thousands. */
export function productList({ q, issuer, state }: ProductFilters): ListQuery<"name"> {
  const where: RawBuilder<unknown>[] = [];
  if (issuer) where.push(sql`product.issuer = ${issuer}`);
  if (state === "sold") where.push(isProductSold);
  if (state === "stopped") where.push(sql`product.stopped_at is not null`);
  if (state === "retailer") where.push(sql`${retailerTrouble} is not null`);
  if (state === "insolvent") where.push(sql`product.is_insolvent`);
  if (state === "withdrawn") where.push(sql`product.withdrawn_at is not null`);
  if (q) {
    const like = `%${q.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    where.push(sql`(lower(product.name) like ${like} or product.issuer_product_id = ${q})`);
  }
  return {
    from: sql`gift_card_products product`,
    select: productColumns,
    where,
    sorts: { name: { by: sql`lower(product.name)`, type: "text" } },
    id: { by: sql`product.id`, type: "uuid" },
  };
}

export const productColumns = sql`product.public_id as "publicId", product.issuer, product.issuer_product_id as "issuerProductId",
  product.name, product.issuer_discount_bp as "issuerDiscountBp", product.reward_kind as "rewardKind",
  product.reward_bp as "rewardBp", product.is_reversible as "isReversible", product.synced_at as "syncedAt",
  product.withdrawn_at as "withdrawnAt", product.stopped_at as "stoppedAt", product.stopped_because as "stoppedBecause",
  product.is_insolvent as "isInsolvent", ${retailerTrouble} as "retailerTrouble"`;
