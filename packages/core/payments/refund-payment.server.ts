import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { paidForGiftCards } from "./gift-card-lines.server.ts";
import { pence, type Pence } from "../money/money.ts";
import type { PartnerMode } from "../partners/mode.ts";
import { accountFor, modeOf, type CardAccounts } from "./card-accounts.ts";
import { findPaymentRow, type PaymentRow } from "./payment-row.server.ts";
import { CardProviderRefusalError, CardProviderUnavailableError, type CardProvider } from "./provider.ts";
import {
  MAX_RUNNING_REFUNDS,
  PARTNER_REFUND_KEY,
  REFUND_KEY_MS,
  REFUND_LATEST_MS,
  REFUND_LEASE_MS,
  REFUSED_REFUND_KEY,
  REPEATED_REFUND_MS,
} from "./refund-rules.ts";
import { CLAIMING_DISPUTE_STATES, refundablePence } from "./dispute-rules.ts";
import { refundProblem } from "./rules.ts";
import { settlePayment } from "./settle-payment.server.ts";

export interface RefundRequest {
  publicId: string;
  /** Null: everything that is left. */
  amountPence: Pence | null;
  /**
   * Tells a repeated request from another one. Without a key, a request for the same amount within a day of the last
   * one repeats it: a command that was interrupted and is run again refunds once.
   */
  requestKey?: string;
  /** Without a key: refunds the same amount once more. */
  isAnother?: boolean;
  /** Whose payment it has to be; by default anybody's. */
  owner?: PaymentOwner;
  now: Date;
}

/** A partner's key sees the payments of its own partner and mode, and no others. */
export interface PaymentOwner {
  partnerId: string;
  mode: PartnerMode;
}

export interface Refund {
  id: string;
  amountPence: Pence;
  askedAt: Date;
}

export type RefundedPayment =
  | { outcome: "refunded"; refund: Refund; payment: PaymentRow }
  | { outcome: "no-such-payment" }
  | { outcome: "not-paid" | "more-than-left" | "not-an-amount"; payment: PaymentRow }
  /** The payer's bank has the money, or asks for it: a refund would pay twice. */
  | { outcome: "disputed"; payment: PaymentRow }
  /** Without a key: the same amount was refunded within a day, and nothing was refunded now. */
  | { outcome: "already-refunded"; refund: Refund; payment: PaymentRow }
  /** The amount is free only if a refund that is running fails: ask again in a moment. */
  | { outcome: "refunds-running"; payment: PaymentRow }
  /** The key was used for another amount. */
  | { outcome: "key-taken"; payment: PaymentRow }
  /** The provider refused it, so nothing was refunded. */
  | { outcome: "refused"; payment: PaymentRow; why: string }
  /** It was asked for so long ago that asking again could refund twice, and may still be on its way: it is decided `REFUND_LATEST_MS` after it was asked for. */
  | { outcome: "unsure"; refund: Refund; payment: PaymentRow }
  | { outcome: "contradiction"; why: string };

/** A refund as its row has it. */
export interface RefundRow extends Refund {
  state: "asked" | "done" | "refused" | "returned";
}

/**
 * Refunds a payment, whole or in part, once per `requestKey`. The refund is reserved first, so that concurrent ones
 * never exceed the payment together. Then the provider is called with the refund's id as the key: whoever repeats it
 * after a crash refunds once. Then the payment is updated from the provider's state, as after a webhook.
 * @throws CardProviderUnavailableError: the worker finishes the refund; NoCardAccountError
 */
export async function refundPayment(db: Db, accounts: CardAccounts, request: RefundRequest): Promise<RefundedPayment> {
  const row = await findPaymentRow(db, { publicId: request.publicId }, request.owner);
  if (!row) return { outcome: "no-such-payment" };
  accountFor(accounts, row.mode); // before anything is reserved
  const reserved = await db.transaction().execute((trx) => reserve(trx, request));
  return "outcome" in reserved ? reserved : finishRefund(db, accounts, { ...reserved, now: request.now });
}

/**
 * Sends a reserved refund and updates the payment. One whose key the provider may have forgotten is looked up instead. Safe to
 * repeat, also by several processes.
 * @throws CardProviderUnavailableError, NoCardAccountError
 */
export async function finishRefund(
  db: Db,
  accounts: CardAccounts,
  { refund, payment, now }: { refund: RefundRow; payment: PaymentRow; now: Date },
): Promise<RefundedPayment> {
  const { providerPaymentId } = payment;
  if (providerPaymentId === null) return { outcome: "not-paid", payment };
  if (refund.state === "done" || refund.state === "returned") return { outcome: "refunded", refund, payment };
  const account = accountFor(accounts, payment.mode);
  const mode = modeOf(accounts, account);
  const sent = await send(account, { ...refund, providerPaymentId, now });
  if (sent.outcome === "unsure") return { outcome: "unsure", refund, payment };
  if (sent.outcome === "refused") {
    await decide(db, refund.id, "refused", sent.why);
    // The provider may know of refunds that we do not.
    await settlePayment(db, account, { providerPaymentId, mode, now });
    return { outcome: "refused", payment: await current(db, payment), why: sent.why };
  }
  const settled = await settlePayment(db, account, { providerPaymentId, mode, now });
  await decide(db, refund.id, "done", null);
  if (settled.outcome === "contradiction") return settled;
  return { outcome: "refunded", refund, payment: await current(db, payment) };
}

/** Sends a refund, or finds out whether it was made where sending it could make it twice. @throws CardProviderUnavailableError */
async function send(
  account: Pick<CardProvider, "refund" | "findRefunds">,
  { id: refundId, amountPence, askedAt, providerPaymentId, now }: RefundRow & { providerPaymentId: string; now: Date },
): Promise<{ outcome: "made" | "unsure" } | { outcome: "refused"; why: string }> {
  const ageMs = now.getTime() - askedAt.getTime();
  let why = "It never reached the card provider.";
  try {
    if (ageMs <= REFUND_KEY_MS) {
      await account.refund({ key: `refund:${refundId}`, refundId, providerPaymentId, amountPence });
      return { outcome: "made" };
    }
  } catch (error) {
    if (!(error instanceof CardProviderRefusalError)) throw error;
    why = error.message;
  }
  if (await isMade(account, { providerPaymentId, refundId })) return { outcome: "made" };
  return ageMs > REFUND_KEY_MS && ageMs < REFUND_LATEST_MS ? { outcome: "unsure" } : { outcome: "refused", why };
}

/**
 * Returns whether the provider has made a refund: an earlier call, whose answer was lost, may have done what a repeated one is
 * refused. @throws CardProviderUnavailableError: it can't be asked, and the refund stays undecided
 */
async function isMade(
  account: Pick<CardProvider, "findRefunds">,
  { providerPaymentId, refundId }: { providerPaymentId: string; refundId: string },
): Promise<boolean> {
  try {
    return (await account.findRefunds(providerPaymentId)).some((made) => made.refundId === refundId);
  } catch (error) {
    if (!(error instanceof CardProviderRefusalError)) throw error;
    throw new CardProviderUnavailableError(error, `The card provider does not list refunds. ${error.message}`);
  }
}

type Reserved =
  | Exclude<RefundedPayment, { outcome: "refunded" | "unsure" }>
  | { refund: RefundRow; payment: PaymentRow };

/** Writes what is asked for, under a lock on the payment; returns the earlier refund of a repeated request. */
async function reserve(trx: Trx, request: RefundRequest): Promise<Reserved> {
  const { publicId, amountPence, requestKey, owner, now } = request;
  await trx.selectFrom("payments").select("id").where("public_id", "=", publicId).forNoKeyUpdate().execute();
  const payment = await findPaymentRow(trx, { publicId }, owner);
  if (!payment) return { outcome: "no-such-payment" };
  if (!requestKey?.startsWith("gift-card:") && (await paidForGiftCards(trx, payment.id)))
    return {
      outcome: "refused",
      payment,
      why: "It paid for gift cards, which are refunded one by one: on each card's page in the admin, or with the command gift-cards: resolve <line> refund.",
    };
  const { key, last } = requestKey ? { key: requestKey, last: null } : await unnamed(trx, payment.id, request);
  if (last && last.state !== "asked") return { outcome: "already-refunded", refund: last, payment };
  const before = await refundsOf(trx, payment.id, key);
  if (before.same) {
    // A command's key says already whether everything was asked for.
    const isSame = requestKey
      ? before.same.amountPence === (amountPence ?? (await leftBefore(trx, payment, before.same)))
      : true;
    return isSame ? { refund: before.same, payment } : { outcome: "key-taken", payment };
  }
  const left = refundablePence(payment);
  const amount = amountPence ?? (payment.claimedPence > 0 ? left : pence(payment.amountPence - payment.refundedPence));
  if (payment.claimedPence > 0 && (left === 0 || amount > left)) return { outcome: "disputed", payment };
  const problem = refundProblem(payment, amount);
  if (problem) return { outcome: problem, payment };
  // What runs may be counted twice, once as reserved and once as refunded, and is then refused for a moment too long.
  const isFree = amount <= left - before.runningPence;
  if (!isFree || before.running >= MAX_RUNNING_REFUNDS) return { outcome: "refunds-running", payment };
  const refund: RefundRow = { id: newId(), amountPence: amount, askedAt: now, state: "asked" };
  await trx
    .insertInto("payment_refunds")
    .values({
      id: refund.id,
      payment_id: payment.id,
      request_key: key,
      amount_pence: amount,
      state: "asked",
      asked_at: now,
      next_try_at: new Date(now.getTime() + REFUND_LEASE_MS),
      announced_at: null,
    })
    .execute();
  return { refund, payment };
}

/**
 * Returns the key of a request without one, and the refund that it repeats. Such keys count the refunds of one amount:
 * `command:2000:1`.
 */
async function unnamed(
  trx: Trx,
  paymentId: string,
  { amountPence, isAnother = false, now }: RefundRequest,
): Promise<{ key: string; last: RefundRow | null }> {
  const prefix = `command:${amountPence ?? "rest"}:`;
  const rows = await trx
    .selectFrom("payment_refunds")
    .select(["id", "amount_pence as amountPence", "asked_at as askedAt", "request_key as key", "state"])
    .where("payment_id", "=", paymentId)
    .where(sql<boolean>`starts_with(request_key, ${prefix})`)
    .execute();
  const turnOf = ({ key }: { key: string }) => Number(key.slice(prefix.length));
  const last = rows.toSorted((a, b) => turnOf(a) - turnOf(b)).at(-1);
  if (!last) return { key: `${prefix}1`, last: null };
  const isOver = last.state !== "asked" && now.getTime() - last.askedAt.getTime() > REPEATED_REFUND_MS;
  if (isAnother || isOver) return { key: `${prefix}${turnOf(last) + 1}`, last: null };
  return { key: last.key, last: { ...last, state: last.state as RefundRow["state"] } };
}

/** Returns the refund with this key, and how much is running with any key. */
async function refundsOf(trx: Trx, paymentId: string, key: string) {
  const { rows } = await sql<RefundRow & { key: string }>`
    select id, amount_pence as "amountPence", asked_at as "askedAt", state, request_key as key
    from payment_refunds where payment_id = ${paymentId} and (state = 'asked' or request_key = ${key})`.execute(trx);
  const running = rows.filter(({ state }) => state === "asked");
  return {
    same: rows.find((row) => row.key === key) ?? null,
    running: running.length,
    runningPence: running.reduce((sum, { amountPence }) => sum + amountPence, 0),
  };
}

/** Returns what could be refunded of a payment when a refund was asked for. */
async function leftBefore(
  trx: Trx,
  { id, amountPence }: Pick<PaymentRow, "id" | "amountPence">,
  { askedAt }: Pick<Refund, "askedAt">,
): Promise<Pence> {
  const { rows } = await sql<{ refundedPence: Pence; claimedPence: Pence }>`
    select
      coalesce((select refunded_pence from payment_changes change
        where change.payment_id = ${id} and change.changed_at < ${askedAt} order by version desc limit 1), 0)::bigint as "refundedPence",
      (select coalesce(sum(dispute.amount_pence), 0)::bigint from payment_disputes dispute
        where dispute.payment_id = ${id} and (select change.state from payment_dispute_changes change
          where change.dispute_id = dispute.id and change.changed_at < ${askedAt} order by version desc limit 1)
            in (${sql.join([...CLAIMING_DISPUTE_STATES])})) as "claimedPence"`.execute(trx);
  return refundablePence({ amountPence, refundedPence: 0, claimedPence: 0, ...rows[0] });
}

/**
 * A refused refund gives its key back, so that our own commands and gift cards can repeat the request once the reason is gone: their keys follow from what
 * is refunded. A partner's key keeps the refusal (docs/partners-api.md), and another one asks again. The new key still says whether a partner's key
 * asked (`listPartnerRefunds`).
 */
async function decide(db: Db, id: string, state: "done" | "refused", why: string | null): Promise<void> {
  await db
    .updateTable("payment_refunds")
    .set({
      state,
      next_try_at: null,
      last_error: why,
      ...(state === "refused"
        ? {
            request_key: sql<string>`${REFUSED_REFUND_KEY}::text
              || case when starts_with(request_key, ${PARTNER_REFUND_KEY}) then ${PARTNER_REFUND_KEY}::text else '' end || ${id}::text`,
          }
        : {}),
    })
    .where("id", "=", id)
    .where("state", "=", "asked")
    .execute();
}

async function current(db: Db, payment: PaymentRow): Promise<PaymentRow> {
  return (await findPaymentRow(db, { publicId: payment.publicId })) ?? payment;
}
