import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { Pence } from "../money/money.ts";
import { findPaymentRow } from "./payment-row.server.ts";
import { PARTNER_REFUND_KEY, REFUSED_REFUND_KEY } from "./refund-rules.ts";
import type { PartnerRefundState } from "./refund-states.ts";
import type { PaymentOwner } from "./refund-payment.server.ts";

/** A refund as its partner sees it. */
export interface PartnerRefund {
  id: string;
  amountPence: Pence;
  state: PartnerRefundState;
  /** Who asked for it: a key of the partner, or the club. Null: refused before this was noted. */
  madeBy: "partner" | "club" | null;
  createdAt: Date;
}

export interface RefundPage {
  refunds: PartnerRefund[];
  /** The id of the last refund here, after which the next page begins; null on the last page. */
  nextCursor: string | null;
}

/** Returns a page of the refunds of one of a partner's payments, newest first. */
export async function listPartnerRefunds(
  db: Db,
  { owner, publicId, cursor, max }: { owner: PaymentOwner; publicId: string; cursor: string | null; max: number },
): Promise<RefundPage | "no-such-payment" | "bad-cursor"> {
  const payment = await findPaymentRow(db, { publicId }, owner);
  if (!payment) return "no-such-payment";
  const ofPayment = () => db.selectFrom("payment_refunds").where("payment_id", "=", payment.id);
  if (cursor !== null && !(await ofPayment().select("id").where("id", "=", cursor).executeTakeFirst()))
    return "bad-cursor";
  const rows = await ofPayment()
    .select(["id", "amount_pence as amountPence", "asked_at as createdAt"])
    .select(
      sql<PartnerRefundState>`case state when 'asked' then 'pending' when 'done' then 'succeeded'
        when 'returned' then 'failed' else 'refused' end`.as("state"),
    )
    .select(
      // What a refused one was asked for with is not kept; whose key it was is, in newer rows (refund-payment.server.ts).
      sql<PartnerRefund["madeBy"]>`case when starts_with(request_key, ${PARTNER_REFUND_KEY})
          or starts_with(request_key, ${REFUSED_REFUND_KEY + PARTNER_REFUND_KEY}) then 'partner'
        when starts_with(request_key, ${REFUSED_REFUND_KEY}) then null else 'club' end`.as("madeBy"),
    )
    .$if(cursor !== null, (query) => query.where("id", "<", cursor))
    .orderBy("id", "desc")
    .limit(max + 1)
    .execute();
  const refunds = rows.slice(0, max);
  return { refunds, nextCursor: rows.length > max ? (refunds.at(-1)?.id ?? null) : null };
}
