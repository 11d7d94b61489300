import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { pence } from "../money/money.ts";
import type { CardAccounts } from "../payments/card-accounts.ts";
import { refundPayment } from "../payments/refund-payment.server.ts";
import type { LineRow } from "./line-row.server.ts";

/** Returns whether the refund of a line was asked for, and not refused: it may have been made. */
export async function isRefundSent(db: Db, { id }: Pick<LineRow, "id">): Promise<boolean> {
  const { rows } = await sql`
    select from payment_refunds where request_key = ${requestKeyOf(id)} and state <> 'refused'`.execute(db);
  return rows.length > 0;
}

const requestKeyOf = (lineId: string) => `gift-card:${lineId}`;

/**
 * Refunds what a line's buyer has paid for it, once. Returns null when that is done, and otherwise why it is not.
 * @throws CardProviderUnavailableError, NoCardAccountError: try again later
 */
export async function refundLine(
  { db, cards }: { db: Db; cards: CardAccounts },
  { id, payment, pricePence, feePence }: Pick<LineRow, "id" | "payment" | "pricePence" | "feePence">,
  now: Date,
): Promise<string | null> {
  if (!payment) return "The payment is gone: a person has to look.";
  const amountPence = pence(pricePence + feePence);
  const requestKey = requestKeyOf(id);
  const refunded = await refundPayment(db, cards, { publicId: payment.publicId, amountPence, requestKey, now });
  if (refunded.outcome === "refunded") return null;
  return refunded.outcome === "unsure"
    ? "The refund was asked for, without an answer."
    : `The refund: ${refunded.outcome}.`;
}
