import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { pence, type Pence } from "../money/money.ts";
import { accountFor, type CardAccounts } from "../payments/card-accounts.ts";
import { refundPayment } from "../payments/refund-payment.server.ts";
import { settlePayment } from "../payments/settle-payment.server.ts";
import type { LineRow } from "./line-row.server.ts";

/** The card provider forgets keys after 24 hours: what it was asked before that has happened, or never will. */
const FORGOTTEN_MS = 25 * 3_600_000;

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
  if (refunded.outcome !== "unsure") return `The refund: ${refunded.outcome}.`;
  if (now.getTime() - refunded.refund.askedAt.getTime() < FORGOTTEN_MS)
    return "The refund was asked for, without an answer.";
  return settleUnsure(db, cards, {
    ...{ id: refunded.refund.id, providerPaymentId: refunded.payment.providerPaymentId ?? "", amountPence, now },
  });
}

/**
 * Decides an unanswered refund after its key has expired. If the provider has refunded exactly this amount more than we recorded, it was made. If
 * nothing more, it was not.
 */
async function settleUnsure(
  db: Db,
  cards: CardAccounts,
  refund: { id: string; providerPaymentId: string; amountPence: Pence; now: Date },
): Promise<string | null> {
  const { providerPaymentId, now } = refund;
  // The books follow the provider first: they may lack what it has refunded.
  const settled = await settlePayment(db, accountFor(cards, "live"), { providerPaymentId, now });
  if (settled.outcome !== "settled") return `The card provider's payment is ${settled.outcome}: a person has to look.`;
  const { rows } = await sql<{ donePence: Pence }>`
    select coalesce(sum(refund.amount_pence), 0)::bigint as "donePence"
    from payment_refunds refund join payments payment on payment.id = refund.payment_id
    where payment.provider_payment_id = ${providerPaymentId} and refund.state = 'done'`.execute(db);
  const unknown = settled.payment.refundedPence - (rows[0]?.donePence ?? 0);
  if (unknown !== 0 && unknown !== refund.amountPence)
    return "Several refunds are unsure; this one is decided after the others.";
  const isDone = unknown === refund.amountPence;
  await db
    .updateTable("payment_refunds")
    .set(
      isDone
        ? { state: "done", next_try_at: null, last_error: null }
        : {
            state: "refused",
            next_try_at: null,
            last_error: "It never reached the card provider.",
            request_key: `refused:${refund.id}`,
          },
    )
    .where("id", "=", refund.id)
    .where("state", "=", "asked")
    .execute();
  return isDone ? null : "The refund never reached the card provider, and is asked for again.";
}
