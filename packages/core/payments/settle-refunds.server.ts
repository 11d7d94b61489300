import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import type { Pence } from "../money/money.ts";
import { announceEvent } from "../partners/webhooks.server.ts";
import { stopLinesOf } from "./gift-card-lines.server.ts";
import { newsOf, type PaymentRow } from "./payment-row.server.ts";
import type { CardProvider, ObservedRefund } from "./provider.ts";
import { REFUND_KEY_MS, type RefundNews } from "./refund-rules.ts";

export interface SettledRefunds {
  /** Refunds that were made in the provider's dashboard, and are noted now for the first time. */
  madeElsewhere: { providerRefundId: string; amountPence: Pence }[];
  /** Refunds whose money came back, noted now for the first time. */
  returned: { providerRefundId: string; amountPence: Pence }[];
}

/** What was noted of a payment's refunds in one look. */
export interface NotedRefunds extends SettledRefunds {
  /** Refunds that the partner was not told of, and whose money has not come back: ours and others. */
  unannounced: { refundId: string; amountPence: Pence }[];
  /** How much of what came back had been noted as refunded. */
  returnedPence: Pence;
  /** The total of the payment in our books. */
  refundedPence: Pence;
}

interface Row {
  id: string;
  state: "asked" | "done" | "refused" | "returned";
  amountPence: Pence;
  askedAt: Date;
  providerRefundId: string | null;
  announcedAt: Date | null;
}

/**
 * Names each refund of a payment (G3): ours get the provider's id, one that we did not make gets a row of its own, and one that
 * the payer's bank sent back is noted as returned, and its partner is told once. The books have them from `settlePayment`, which also tells the
 * partner of each refund; one that leaves the total as it was, because another came back meanwhile, is told of here. Safe to repeat in any order.
 * @throws CardProviderUnavailableError, CardProviderRefusalError
 */
export async function settleRefunds(
  db: Db,
  cards: Pick<CardProvider, "findRefunds">,
  { payment, now }: { payment: PaymentRow; now: Date },
): Promise<SettledRefunds> {
  const none = { madeElsewhere: [], returned: [] };
  if (payment.providerPaymentId === null) return none;
  const observed = await cards.findRefunds(payment.providerPaymentId);
  if (observed.length === 0) return none;
  const { madeElsewhere, returned } = await db.transaction().execute(async (trx) => {
    const noted = await noteRefunds(trx, { payment, observed, now });
    if (standingPence(observed) === noted.refundedPence)
      await announceRefunds(trx, {
        payment,
        news: noted.unannounced.map(({ refundId, amountPence }) => ({ refundId, refundPence: amountPence })),
        refundedPence: noted.refundedPence,
        now,
      });
    return noted;
  });
  return { madeElsewhere, returned };
}

/** Returns the sum of refunds whose money has not come back. */
export function standingPence(refunds: readonly ObservedRefund[]): number {
  return refunds.reduce((sum, { status, amountPence }) => (status === "failed" ? sum : sum + amountPence), 0);
}

/** Tells the partner of refunds, and notes that it was told of each of them; of all that run or were made, where one has no id. */
export async function announceRefunds(
  trx: Trx,
  {
    payment,
    news,
    refundedPence,
    now,
  }: { payment: PaymentRow; news: readonly RefundNews[]; refundedPence: Pence; now: Date },
): Promise<void> {
  if (news.length === 0) return;
  const { partnerId, mode } = payment;
  for (const refund of news) {
    const data = { ...newsOf(payment), ...refund, refundedPence };
    await announceEvent(trx, { partnerId, mode, kind: "payment.refunded", data, now });
  }
  await trx
    .updateTable("payment_refunds")
    .set({ announced_at: now })
    .where("payment_id", "=", payment.id)
    .where("announced_at", "is", null)
    .$if(!news.some(({ refundId }) => refundId === null), (rows) =>
      rows.where(
        "id",
        "in",
        news.flatMap(({ refundId }) => refundId ?? []),
      ),
    )
    .execute();
}

/** Writes what the provider has of a payment's refunds, and tells its partner of those that came back. */
export async function noteRefunds(
  trx: Trx,
  { payment, observed, now }: { payment: PaymentRow; observed: ObservedRefund[]; now: Date },
): Promise<NotedRefunds> {
  const { id: paymentId } = payment;
  const { refundedPence } = await trx
    .selectFrom("payments")
    .select("refunded_pence as refundedPence")
    .where("id", "=", paymentId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const tellFailed = async (refundId: string, refundPence: Pence) => {
    const data = { ...newsOf(payment), refundId, refundPence, refundedPence };
    const { partnerId, mode } = payment;
    await announceEvent(trx, { partnerId, mode, kind: "payment.refund_failed", data, now });
  };
  const found = await trx
    .selectFrom("payment_refunds")
    .select([
      "id",
      "state",
      "amount_pence as amountPence",
      "asked_at as askedAt",
      "provider_refund_id as providerRefundId",
      "announced_at as announcedAt",
    ])
    .where("payment_id", "=", paymentId)
    .orderBy("asked_at")
    .orderBy("id")
    // Whoever sends a refund decides it without the payment's lock: a state that was read before would be written over theirs.
    .forNoKeyUpdate()
    .execute();
  const rows = found.map((row): Row => ({ ...row, state: row.state as Row["state"] }));
  const noted: NotedRefunds = { madeElsewhere: [], returned: [], unannounced: [], returnedPence: 0, refundedPence };
  for (const refund of observed) {
    const { providerRefundId, amountPence, status, madeAt } = refund;
    const isBack = status === "failed";
    const row = rowOf(rows, refund);
    if (!row) {
      const id = newId();
      await trx
        .insertInto("payment_refunds")
        .values({
          id,
          payment_id: paymentId,
          request_key: `provider:${providerRefundId}`,
          amount_pence: amountPence,
          state: isBack ? "returned" : "done",
          asked_at: madeAt,
          made_by: "provider",
          provider_refund_id: providerRefundId,
          announced_at: null,
        })
        .execute();
      noted.madeElsewhere.push({ providerRefundId, amountPence });
      if (!isBack) noted.unannounced.push({ refundId: id, amountPence });
      else {
        noted.returned.push({ providerRefundId, amountPence });
        await tellFailed(id, amountPence);
      }
      continue;
    }
    const state = stateOf(row, { isBack, now });
    if (state === "returned" && row.state !== "returned") {
      noted.returned.push({ providerRefundId, amountPence });
      if (row.state === "done") noted.returnedPence += amountPence;
      await tellFailed(row.id, amountPence);
    }
    if (!isBack && row.announcedAt === null) noted.unannounced.push({ refundId: row.id, amountPence });
    if (row.providerRefundId === providerRefundId && state === row.state) continue;
    row.providerRefundId = providerRefundId;
    await trx
      .updateTable("payment_refunds")
      .set({ provider_refund_id: providerRefundId, state, ...(state === "asked" ? {} : { next_try_at: null }) })
      .where("id", "=", row.id)
      .execute();
  }
  if (noted.madeElsewhere.length > 0) await stopLinesOf(trx, paymentId, now);
  return noted;
}

/** Finds our refund: by the provider's id, by ours, or, where we had not told the provider ours, one of the same amount. */
function rowOf(rows: readonly Row[], { providerRefundId, refundId, amountPence }: ObservedRefund): Row | undefined {
  const known = rows.find((row) => row.providerRefundId === providerRefundId);
  if (known || refundId !== null) return known ?? rows.find(({ id }) => id === refundId);
  return rows.find((row) => row.providerRefundId === null && row.amountPence === amountPence && row.state === "done");
}

/**
 * A refund that is asked for is decided by whoever sends it, until it is too late to send it again; one that we took for
 * refused has arrived after all.
 */
function stateOf({ state, askedAt }: Row, { isBack, now }: { isBack: boolean; now: Date }): Row["state"] {
  if (state === "asked" && now.getTime() - askedAt.getTime() <= REFUND_KEY_MS) return state;
  if (isBack) return "returned";
  return state === "returned" ? state : "done";
}
