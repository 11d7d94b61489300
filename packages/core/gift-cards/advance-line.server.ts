import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { findMemberBalances } from "../ledger/balances.server.ts";
import { pence } from "../money/money.ts";
import type { CardAccounts } from "../payments/card-accounts.ts";
import { wasTaken } from "../payments/rules.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { announceDelay } from "./announce-order.server.ts";
import { sealCard } from "./card-seal.ts";
import { IssuerUnavailableError, type CardIssuer, type IssuedCard, type NoCardReason } from "./issuer.ts";
import { cardOrderOf, changeLine, findLine, type LineChange, type LineRow } from "./line-row.server.ts";
import { boughtAround } from "./order-cards.server.ts";
import { disputesOfBuyer } from "./payment-trouble.server.ts";
import { isRefundSent, refundLine } from "./refund-line.server.ts";
import {
  DELAY_MS,
  FLOAT_MS,
  HELD_MS,
  holdReason,
  isOverdue,
  ISSUE_MS,
  limitProblem,
  QUIET_MS,
  recheckProblem,
  refundWay,
  REVERSE_MS,
  REVERSIBLE_MS,
  troubleOf,
  UNPAID_MS,
  WAITS_FOR_FLOAT,
  type RefundReason,
} from "./rules.ts";

export interface SagaParts {
  db: Db;
  issuers: ReadonlyMap<string, CardIssuer>;
  cards: CardAccounts;
  /** Encrypt cards; the current key first. */
  keys: SecretKeys;
  now(): Date;
}

export type Step =
  /** The line changed, and says itself when its next step is due. */
  | { outcome: "moved" }
  /** Nothing is known yet: try again later. `why` is for operators, and holds nothing of a card. */
  | { outcome: "waiting"; why: string }
  /** Another worker was faster, or there is nothing to do. */
  | { outcome: "over" };

/**
 * Takes one step with a line (G4). Each step reads the line, calls at most one outside service, and stores the answer if
 * the line has not changed meanwhile. A process may die anywhere: the next one repeats the step, with the same references,
 * so that there is one card or one refund.
 * @throws IssuerUnavailableError, CardProviderUnavailableError, NoCardAccountError: try again later
 */
export async function advanceLine(parts: SagaParts, lineId: string): Promise<Step> {
  const line = await findLine(parts.db, { id: lineId });
  if (!line) return { outcome: "over" };
  if (isLate(line, parts.now())) await announceDelay(parts.db, { orderId: line.orderId, now: parts.now() });
  switch (line.state) {
    case "awaiting_payment":
      return awaitPayment(parts, line);
    case "held":
      return hold(parts, line);
    case "issuing":
      return issueOrStop(parts, line);
    case "issued":
      return noteDispute(parts, line) ?? releaseCashback(parts, line);
    case "reversing":
      return reverse(parts, line);
    case "refunding":
      return refund(parts, line);
    case "refunded":
      return line.cardState === "possible" ? chaseCard(parts, line) : { outcome: "over" };
    case "charged_back":
      return chargedBack(parts, line);
    case "cancelled":
      // It was paid after all: the payment was on its way when the clock gave it up.
      return line.payment && wasTaken(line.payment.state)
        ? change(parts, line, { state: "refunding", reason: "paid-too-late" })
        : { outcome: "over" };
  }
}

function isLate({ isTold, paidAt, state, payment }: LineRow, now: Date): boolean {
  // Who disputes the payment does not wait for a card.
  if (payment?.isDisputed || payment?.isLost) return false;
  const isWaiting = state === "held" || state === "issuing" || state === "reversing" || state === "refunding";
  return isWaiting && !isTold && isOverdue(paidAt, DELAY_MS, now);
}

async function change(
  { db, now }: SagaParts,
  line: LineRow,
  to: Partial<LineChange> & { nextStepAt?: Date | null },
): Promise<Step> {
  const at = now();
  const done = await changeLine(db, line, { nextStepAt: at, by: "saga", now: at, ...to });
  return { outcome: done ? "moved" : "over" };
}

async function awaitPayment(parts: SagaParts, line: LineRow): Promise<Step> {
  if (line.payout) return startPaidFor(parts, line);
  const { payment, placedAt, totalPence } = line;
  const now = parts.now();
  // A payment that is only created has never reached its buyer, who can't pay it.
  if (!payment || payment.state === "created") {
    if (!isOverdue(placedAt, UNPAID_MS, now)) return { outcome: "waiting", why: "Nobody has begun to pay." };
    return change(parts, line, { state: "cancelled", nextStepAt: null });
  }
  if (payment.state === "cancelled") return change(parts, line, { state: "cancelled", nextStepAt: null });
  if (!wasTaken(payment.state))
    return { outcome: "waiting", why: `The payment is ${payment.state.replaceAll("_", " ")}.` };
  if (payment.amountPence !== totalPence)
    return { outcome: "waiting", why: "The payment has another amount: a person has to look." };
  return startPaidFor(parts, line);
}

/** Checks price and stock of a paid line again, and has it issued, held or refunded. */
async function startPaidFor(parts: SagaParts, line: LineRow): Promise<Step> {
  const { payment, placedAt, totalPence, memberId, memberSince } = line;
  const now = parts.now();
  const problem = recheckProblem(line, line.product, { placedAt, now, isMember: memberId !== null });
  if (problem) return change(parts, line, { state: "refunding", reason: problem });
  if (await hasBalanceFallen(parts.db, line))
    return change(parts, line, { state: "refunding", reason: "balance-fell" });
  const { ordersInHour, ...bought } = await boughtAround(parts.db, line);
  const reason =
    (line.payout?.isOnHold ? "payouts-on-hold" : null) ??
    (payment && troubleOf(payment)) ??
    holdReason({
      totalPence,
      memberForMs: memberSince && now.getTime() - memberSince.getTime(),
      ordersInHour,
      exceeds: limitProblem([], bought),
      hasDisputed: await hasDisputed(parts.db, line),
    });
  return change(parts, line, reason ? { state: "held", reason } : { state: "issuing" });
}

/** Returns whether more was taken back than the member had left, after cashback was taken for the card. */
async function hasBalanceFallen(db: Db, { payout, memberId }: LineRow): Promise<boolean> {
  if (!payout || memberId === null) return false;
  const { member_payable: payable } = await findMemberBalances(db, { memberId });
  return payable < 0;
}

/** Returns whether the buyer's bank disputes a payment of theirs for gift cards, or has taken one back. */
async function hasDisputed(db: Db, { buyerMark, memberId }: LineRow): Promise<boolean> {
  const { rows } = await sql`
    select from gift_card_orders orders
      join payments payment on payment.session_id = orders.session_id and payment.idempotency_key = 'gift-card-' || orders.id
      join payment_disputes dispute on dispute.payment_id = payment.id and dispute.state in ${disputesOfBuyer}
    where orders.buyer_mark = ${buyerMark} or orders.member_id = ${memberId} limit 1`.execute(db);
  return rows.length > 0;
}

/** A held line ends by an operator or by the clock, which stands still while the payment is disputed. */
async function hold(parts: SagaParts, line: LineRow): Promise<Step> {
  const { payment, reason, paidAt } = line;
  if (payment?.isDisputed)
    return reason === "disputed"
      ? { outcome: "waiting", why: "The payment is disputed: the line waits for the end of it." }
      : change(parts, line, { reason: "disputed" });
  if (payment?.isLost) return change(parts, line, { state: "refunding", reason: "disputed" });
  if (!isOverdue(paidAt, HELD_MS, parts.now()))
    return { outcome: "waiting", why: `Held: ${reason ?? ""}. An operator decides.` };
  return change(parts, line, { state: "refunding", reason: reason === "disputed" ? reason : "held-too-long" });
}

/** No card is made of a payment that is disputed or was refunded elsewhere; one that may exist is taken back. */
async function issueOrStop(parts: SagaParts, line: LineRow): Promise<Step> {
  // What a member was paid can't be taken back as a card, so it is looked at once more before the card is asked for.
  if (line.payout && line.cardState === "none") {
    if (line.payout.isOnHold) return change(parts, line, { state: "held", reason: "payouts-on-hold" });
    if (await hasBalanceFallen(parts.db, line))
      return change(parts, line, { state: "refunding", reason: "balance-fell" });
  }
  const reason = line.payment && troubleOf(line.payment);
  if (!reason) return issue(parts, line);
  return change(parts, line, { state: line.cardState === "none" ? "held" : "reversing", reason });
}

/** Notes that the buyer keeps a card that their bank has taken the money back for, and takes its cashback back. */
function noteDispute(parts: SagaParts, line: LineRow): Promise<Step> | null {
  const { payment, lostToDisputeAt, cashbackPence, memberId } = line;
  if (payment?.isLost && lostToDisputeAt === null)
    return change(parts, line, {
      cashbackState: "none",
      set: { lost_to_dispute_at: parts.now() },
      nextStepAt: null,
    });
  // The bank has changed its mind, and the money is ours again.
  if (payment && !payment.isLost && !payment.isDisputed && lostToDisputeAt !== null)
    return change(parts, line, {
      cashbackState: cashbackPence > 0 && memberId !== null ? "payable" : "none",
      set: { lost_to_dispute_at: null },
      nextStepAt: null,
    });
  return null;
}

/**
 * A charge back ends only if the bank returns the money: then the buyer, who has no card, gets it, also while the issuer has not
 * answered whether there is one.
 */
async function chargedBack(parts: SagaParts, line: LineRow): Promise<Step> {
  if (line.payment && !line.payment.isLost && !line.payment.isDisputed)
    return change(parts, line, { state: "refunding", reason: "disputed" });
  return line.cardState === "possible" ? chaseCard(parts, line) : { outcome: "over" };
}

async function issue(parts: SagaParts, line: LineRow): Promise<Step> {
  const now = parts.now();
  const issuer = issuerOf(parts, line);
  if (isOverdue(line.issuingSince, ISSUE_MS, now)) return withoutCard(parts, line, "issuer-silent");
  if (line.issueCalls === 0) {
    const stock = await issuer.checkStock(cardOrderOf(line));
    if (stock !== "in-stock") return withoutCard(parts, line, stock);
    // From here on there may be a card, whatever becomes of this process.
    const marked = await changeLine(parts.db, line, { cardState: "possible", nextStepAt: now, by: "saga", now });
    if (!marked) return { outcome: "over" };
    return issueMarked(parts, { ...line, cardState: "possible", version: line.version + 1 }, issuer);
  }
  return issueMarked(parts, line, issuer);
}

async function issueMarked(parts: SagaParts, line: LineRow, issuer: CardIssuer): Promise<Step> {
  const now = parts.now();
  if (!(await noteCall(parts.db, line, now))) return { outcome: "over" };
  const answer = await issuer.issue(cardOrderOf(line));
  switch (answer.outcome) {
    case "issued":
      return keepCard(parts, line, issuer, answer.card);
    case "pending":
      return { outcome: "waiting", why: "The issuer works on the order." };
    case "insufficient-float":
      if (!isOverdue(line.issuingSince, FLOAT_MS, now)) return { outcome: "waiting", why: WAITS_FOR_FLOAT };
      return withoutCard(parts, { ...line, issueCalls: line.issueCalls + 1 }, answer.outcome);
    case "out-of-stock":
    case "denomination-unavailable":
    case "refused":
      return withoutCard(parts, { ...line, issueCalls: line.issueCalls + 1 }, answer.outcome);
  }
}

/** Notes that the issuer is asked now. False: the line has changed, and nothing may be asked. */
async function noteCall(db: Db, line: LineRow, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("gift_card_lines")
    .set((row) => ({ issue_calls: row("issue_calls", "+", 1), last_issue_at: now }))
    .where("id", "=", line.id)
    .where("version", "=", line.version)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Goes for the refund. A first refusal is final; after several calls one of the earlier may still have made a card, which
 * is taken back first.
 */
function withoutCard(parts: SagaParts, line: LineRow, reason: RefundReason | NoCardReason): Promise<Step> {
  if (line.cardState === "none") return change(parts, line, { state: "refunding", reason });
  const isFirstAnswer = line.issueCalls === 1 && reason !== "issuer-silent";
  return change(
    parts,
    line,
    isFirstAnswer ? { state: "refunding", cardState: "none", reason } : { state: "reversing", reason },
  );
}

/** Stores a card, encrypted, with its sale and its cashback. */
async function keepCard(parts: SagaParts, line: LineRow, issuer: CardIssuer, card: IssuedCard): Promise<Step> {
  const hasCashback = line.cashbackPence > 0 && line.memberId !== null;
  const now = parts.now();
  const nextStepAt = hasCashback ? new Date(now.getTime() + REVERSIBLE_MS) : null;
  const kept = await change(parts, line, {
    state: "issued",
    cardState: "issued",
    cashbackState: hasCashback ? "confirmed" : "none",
    costPence: card.costPence,
    reason: null,
    nextStepAt: line.payment?.isLost ? now : nextStepAt, // what is lost already is noted next
    set: {
      sealed_card: sealCard(card, line.id, parts.keys),
      issuer_reference: card.issuerReference.slice(0, 200),
      expires_on: card.expiresOn,
    },
  });
  if (kept.outcome !== "over") return kept;
  // The answer came too late: another worker has decided. A card beside a refund is taken back.
  const current = await findLine(parts.db, { id: line.id });
  if (current && (current.state === "refunding" || current.state === "refunded"))
    await issuer.reverse(cardOrderOf(line));
  return kept;
}

async function releaseCashback(parts: SagaParts, line: LineRow): Promise<Step> {
  if (line.cashbackState !== "confirmed") return { outcome: "over" };
  if (line.payment?.isDisputed) return { outcome: "waiting", why: "The payment is disputed." };
  if (!isOverdue(line.issuedAt, REVERSIBLE_MS, parts.now()))
    return { outcome: "waiting", why: "The card can still be reversed." };
  return change(parts, line, { cashbackState: "payable", nextStepAt: null });
}

async function reverse(parts: SagaParts, line: LineRow): Promise<Step> {
  const issuer = issuerOf(parts, line);
  const isOver = isOverdue(line.reversingSince, REVERSE_MS, parts.now());
  const wasIssued = line.cardState === "issued";
  let answer: Awaited<ReturnType<CardIssuer["reverse"]>> | "silent";
  try {
    answer = await issuer.reverse(cardOrderOf(line));
  } catch (error) {
    if (!isOver || !(error instanceof IssuerUnavailableError)) throw error;
    answer = "silent";
  }
  if (answer === "reversed")
    return change(parts, line, { state: "refunding", cardState: "reversed", cashbackState: "none" });
  if (wasIssued) {
    // The buyer has the card. It stays theirs unless the issuer takes it back.
    if (answer === "too-late" || answer === "not-reversible" || isOver)
      return change(parts, line, { state: "issued", reason: null });
    return { outcome: "waiting", why: `The issuer's answer to a reversal: ${answer}.` };
  }
  if (answer === "never-issued" && isQuiet(line, parts.now()))
    return change(parts, line, { state: "refunding", cardState: "none" });
  if (answer === "too-late" || answer === "not-reversible") {
    // There is a card, and it can't be taken back: the buyer gets it.
    if (!(await noteCall(parts.db, line, parts.now()))) return { outcome: "over" };
    const again = await issuer.issue(cardOrderOf(line));
    if (again.outcome === "issued") return keepCard(parts, line, issuer, again.card);
  }
  // The buyer waits no longer; the card, if there is one, is chased without them.
  if (isOver) return change(parts, line, { state: "refunding" });
  return { outcome: "waiting", why: `The issuer's answer to a reversal: ${answer}.` };
}

function isQuiet({ lastIssueAt }: LineRow, now: Date): boolean {
  return lastIssueAt === null || isOverdue(lastIssueAt, QUIET_MS, now);
}

async function refund(parts: SagaParts, line: LineRow): Promise<Step> {
  const { payment, pricePence, feePence } = line;
  // A refund that was sent before the dispute is finished first: it may have been made.
  const way =
    payment && !(await isRefundSent(parts.db, line)) ? refundWay(payment, pence(pricePence + feePence)) : "refund";
  if (way === "wait") return { outcome: "waiting", why: "The payment is disputed: a refund waits for the end of it." };
  if (way === "charged-back") {
    const isChased = line.cardState === "possible";
    return change(parts, line, { state: "charged_back", ...(isChased ? {} : { nextStepAt: null }) });
  }
  // Cashback goes back into the balance in the transaction that changes the line.
  const why = line.payout ? null : await refundLine(parts, line, parts.now());
  if (why !== null) return { outcome: "waiting", why };
  const isChased = line.cardState === "possible";
  return change(parts, line, { state: "refunded", ...(isChased ? {} : { nextStepAt: null }) });
}

/** After a refund or a charge back without news from the issuer: a card that was made is taken back, or is ours to pay for. */
async function chaseCard(parts: SagaParts, line: LineRow): Promise<Step> {
  const answer = await issuerOf(parts, line).reverse(cardOrderOf(line));
  if (answer === "pending" || (answer === "never-issued" && !isQuiet(line, parts.now())))
    return { outcome: "waiting", why: `The issuer's answer to a reversal: ${answer}.` };
  const cardState = answer === "reversed" ? "reversed" : answer === "never-issued" ? "none" : "lost";
  return change(parts, line, { cardState, nextStepAt: null });
}

function issuerOf({ issuers }: SagaParts, { issuer }: LineRow): CardIssuer {
  const found = issuers.get(issuer);
  if (!found) throw new IssuerUnavailableError(`The issuer ${issuer} is not set up (any more).`);
  return found;
}
