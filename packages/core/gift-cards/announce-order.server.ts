import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { Mail } from "../mails/mail.ts";
import { queueMail } from "../mails/operations.server.ts";
import { recipientSchema } from "../mails/recipient.ts";
import type { Pence } from "../money/money.ts";
import { londonDate } from "../registration/rules.ts";
import { refundedBecause, type LineState } from "./rules.ts";

interface Order {
  id: string;
  publicId: string;
  /** Null: it was paid with cashback, by a member. */
  sessionId: string | null;
  isPayout: boolean;
  brandId: string | null;
  memberId: string | null;
  /** What a visitor typed; null: a member's order, the partner gave an address, or it is an order of before the column. */
  buyerEmail: string | null;
  /** Refunded and charged-back lines of the last receipt; null: there was none. */
  receiptRefunds: number | null;
  delayToldAt: Date | null;
}

interface Line {
  publicId: string;
  card: string;
  state: LineState;
  reason: string | null;
  facePence: Pence;
  pricePence: Pence;
  feePence: Pence;
  /** What the buyer has earned with the card. */
  cashbackPence: Pence;
  /** Who gets the card as a present; null: its buyer keeps it. */
  presentFor: string | null;
  /** The day to come on which the present is sent; null: it has been sent, or is sent at once. */
  presentOn: string | null;
}

/**
 * Queues the receipt of an order once each line is a card or a refund, and again when a card was refunded or charged back since, in the
 * transaction that changes the line (G4). The order's row is locked, so that of two lines that end at once one sees both.
 */
export async function announceOutcome(trx: Trx, { orderId, now }: { orderId: string; now: Date }): Promise<void> {
  const order = await lockOrder(trx, orderId);
  const lines = await findLines(trx, orderId, now);
  const hasNoCard = ({ state }: Line) => state === "refunded" || state === "charged_back";
  if (!lines.every((line) => line.state === "issued" || hasNoCard(line))) return;
  const refunds = lines.filter(hasNoCard).length;
  const { receiptRefunds } = order;
  if (receiptRefunds !== null && receiptRefunds >= refunds) return;
  await trx.updateTable("gift_card_orders").set({ receipt_refunds: refunds }).where("id", "=", orderId).execute();
  const mail: Mail = {
    kind: "gift-card-receipt",
    order: order.publicId,
    isChanged: receiptRefunds !== null,
    isPayout: order.isPayout,
    isWhole: !lines.some(({ reason }) => reason === "balance-fell"),
    isMembers: order.memberId !== null,
    lines: lines.map(({ publicId, card, state, reason, presentFor, presentOn, ...pence }) => ({
      ...{ publicId, card, facePence: pence.facePence, pricePence: pence.pricePence },
      ...{ feePence: pence.feePence, cashbackPence: pence.cashbackPence },
      present: presentFor === null ? null : { recipientName: presentFor, sendOn: presentOn },
      refundedBecause: state === "refunded" ? refundedBecause(reason) : null,
      isChargedBack: state === "charged_back",
    })),
  };
  await tellBuyer(trx, order, mail, now);
}

/** Queues the mail about an order with a line that waits long, once, and never after its receipt. */
export async function announceDelay(db: Db, { orderId, now }: { orderId: string; now: Date }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    if (order.delayToldAt !== null || order.receiptRefunds !== null) return;
    await trx.updateTable("gift_card_orders").set({ delay_told_at: now }).where("id", "=", orderId).execute();
    const lines = await findLines(trx, orderId, now);
    const mail: Mail = {
      kind: "gift-card-delay",
      order: order.publicId,
      isPayout: order.isPayout,
      lines: lines.map(({ card, facePence, state }) => ({ card, facePence, stands: standsAt(state) })),
    };
    await tellBuyer(trx, order, mail, now);
  });
}

function standsAt(state: LineState): "checking" | "making" | "refunding" | "ready" | "refunded" | "charged-back" {
  if (state === "held") return "checking";
  if (state === "issued") return "ready";
  if (state === "refunded") return "refunded";
  if (state === "charged_back") return "charged-back";
  return state === "reversing" || state === "refunding" ? "refunding" : "making";
}

async function lockOrder(trx: Trx, orderId: string): Promise<Order> {
  const { payoutId, ...order } = await trx
    .selectFrom("gift_card_orders")
    .select([
      "payout_id as payoutId",
      "id",
      "public_id as publicId",
      "session_id as sessionId",
      "brand_id as brandId",
      "member_id as memberId",
      "buyer_email as buyerEmail",
      "receipt_refunds as receiptRefunds",
      "delay_told_at as delayToldAt",
    ])
    .where("id", "=", orderId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return { ...order, isPayout: payoutId !== null };
}

async function findLines(trx: Trx, orderId: string, now: Date): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select line.public_id as "publicId", product.name as card, line.state, line.reason, line.face_pence as "facePence",
      line.price_pence as "pricePence", line.fee_pence as "feePence",
      case when line.cashback_state = 'none' then 0::bigint else line.cashback_pence end as "cashbackPence",
      case when line.state = 'issued' then present.name else line.gift->>'recipientName' end as "presentFor",
      case when line.state = 'issued' then present.send_on else line.gift->>'sendOn' end as "presentOn"
    from gift_card_lines line join gift_card_products product on product.id = line.product_id
    left join lateral (
      -- The name is forgotten some time after the present was opened.
      select coalesce(recipient_name, 'a friend') as name,
        case when state = 'planned' and send_on > ${londonDate(now)}::date then send_on::text end as send_on
      from gift_card_presents where line_id = line.id and taken_back_at is null order by made_at desc limit 1
    ) present on true
    where line.order_id = ${orderId} order by line.line_number`.execute(trx);
  return rows;
}

/**
 * Queues a mail to the buyer: the member's address, or the one that the partner gave for its visitor, or that the visitor typed for
 * this order. Without an address that can receive mail there is none: a mail must never stop an order.
 */
async function tellBuyer(trx: Trx, order: Order, mail: Mail, now: Date): Promise<void> {
  const { memberId, sessionId, buyerEmail } = order;
  const { rows } = await sql<{ email: string | null; brandId: string | null }>`
    select
      case when ${memberId}::uuid is null
        then coalesce(${buyerEmail}::text, (select email from widget_sessions where id = ${sessionId}::uuid))
        else (select email from members where id = ${memberId} and closed_at is null) end as email,
      coalesce(${order.brandId}::uuid, (select id from brands order by is_default desc, created_at, id limit 1)) as "brandId"`.execute(
    trx,
  );
  const to = recipientSchema.safeParse(rows[0]?.email);
  const brandId = rows[0]?.brandId;
  if (to.success && brandId) await queueMail(trx, { brandId, memberId, to: to.data, mail, now });
}

/** Queues a mail to the buyer of an order, by the rules of its receipt. */
export async function tellBuyerOf(trx: Trx, { orderId, mail, now }: { orderId: string; mail: Mail; now: Date }) {
  await tellBuyer(trx, await lockOrder(trx, orderId), mail, now);
}
