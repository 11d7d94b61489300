import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { Pence } from "../money/money.ts";
import type { PaymentState } from "../payments/rules.ts";
import { isOrderedIn } from "./return-to-order.server.ts";
import { FROZEN_MS, orderProgress, type LineState, type OrderProgress } from "./rules.ts";

/** Whose orders are read: the session's own, and the member's where there is one. */
export interface OrderViewer {
  sessionId: string;
  memberId: string | null;
}

/** Who gets a card that is a present, as far as the buyer's page tells. */
export interface BuyersGift {
  recipientName: string;
  /** YYYY-MM-DD in London; null: as soon as the card is made. */
  sendOn: string | null;
}

export interface BuyersLine {
  publicId: string;
  card: string;
  cardSlug: string;
  state: LineState;
  reason: string | null;
  facePence: Pence;
  paidPence: Pence;
  /** What the member earns with it; 0 for visitors. */
  cashbackPence: Pence;
  /** Null: the card is the buyer's own. */
  gift: BuyersGift | null;
  /** Whether the viewer's session has ordered it, or has come back to it from a bank, and so may see its code. */
  isOwnSession: boolean;
  /** YYYY-MM-DD; null where it does not expire or the issuer does not say. */
  expiresOn: string | null;
}

export interface BuyersOrder {
  publicId: string;
  placedAt: Date;
  totalPence: Pence;
  progress: OrderProgress;
  /** Null: nobody has begun to pay. */
  paymentState: PaymentState | null;
  /** When its price ends, and with it the time to pay. */
  payUntil: Date;
  lines: BuyersLine[];
}

type Row = Omit<BuyersOrder, "progress" | "payUntil">;

/** Returns one order of the viewer's; null: there is none, or it is another's. Never a code. */
export async function findBuyersOrder(
  db: Db,
  { publicId, viewer }: { publicId: string; viewer: OrderViewer },
): Promise<BuyersOrder | null> {
  return (await find(db, viewer, publicId))[0] ?? null;
}

/**
 * Returns the viewer's latest orders, at most 20, the latest first; without cards that were taken out of cashback (payouts), and without
 * those of a visit before this one: whoever opens the page next in the same browser has to know the order's address.
 */
export async function listBuyersOrders(db: Db, { viewer }: { viewer: OrderViewer }): Promise<BuyersOrder[]> {
  return find(db, viewer, null);
}

async function find(db: Db, { sessionId, memberId }: OrderViewer, publicId: string | null): Promise<BuyersOrder[]> {
  const { rows } = await sql<Row>`
    select orders.public_id as "publicId", orders.placed_at as "placedAt", orders.total_pence as "totalPence",
      payment.state as "paymentState", (
        select jsonb_agg(jsonb_build_object('publicId', line.public_id, 'card', product.name, 'cardSlug', product.slug,
          'state', line.state, 'reason', line.reason, 'facePence', line.face_pence,
          'paidPence', line.price_pence + line.fee_pence, 'cashbackPence', line.cashback_pence,
          'gift', coalesce(line.gift - '{recipientEmail,message,design}'::text[], present.gift),
          'isOwnSession', coalesce(${isOrderedIn(sessionId)}, false),
          'expiresOn', line.expires_on) order by line.line_number)
        from gift_card_lines line join gift_card_products product on product.id = line.product_id
          left join lateral (
            select jsonb_build_object('recipientName', coalesce(recipient_name, 'a friend'), 'sendOn', send_on) as gift
            from gift_card_presents where line_id = line.id and state <> 'taken_back') present on true
        where line.order_id = orders.id) as lines
    from gift_card_orders orders
      left join payments payment on payment.session_id = orders.session_id and payment.partner_id = orders.partner_id
        and payment.idempotency_key = 'gift-card-' || orders.id
    where (${publicId === null ? sql`orders.session_id = ${sessionId}` : isOrderedIn(sessionId)} or orders.member_id = ${memberId}::uuid)
      and orders.payout_id is null and (${publicId}::text is null or orders.public_id = ${publicId})
    order by orders.placed_at desc, orders.id desc limit 20`.execute(db);
  return rows.map(({ lines, ...order }) => ({
    ...order,
    payUntil: new Date(order.placedAt.getTime() + FROZEN_MS),
    progress: orderProgress(lines.map(({ state }) => state)),
    lines,
  }));
}
