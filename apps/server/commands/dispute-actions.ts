import { commandLine } from "../command-line.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { accountFor, modeOf, NoCardAccountError, type CardAccounts } from "@farthing/core/payments/card-accounts.ts";
import {
  findDisputes,
  listDisputes,
  listNotedRefunds,
  type ListedDispute,
} from "@farthing/core/payments/list-disputes.server.ts";
import { findPaymentRow } from "@farthing/core/payments/payment-row.server.ts";
import { CardProviderRefusalError, CardProviderUnavailableError } from "@farthing/core/payments/provider.ts";
import { readPayment } from "@farthing/core/payments/read-payment.server.ts";
import type { Db } from "@farthing/db/client.ts";

export const DISPUTE_USAGE = `${commandLine("payments:disputes <action>")}

  list            open disputes and inquiries, by the day their evidence is due
  all             those that are over as well
  show <id>       one dispute, or those of a payment, with what happened and the gift-card lines that it stops
  refunds         refunds that were made in the card provider's dashboard, or that a payer's bank has sent back
  read <payment>  reads a payment, its refunds and its disputes from the card provider now

Evidence is submitted in the card provider's dashboard, not here: this only shows what is due by when. An <id> is ours or the
provider's (du_…).`;

/** An error that the person at the command line can fix; printed without a stack. */
export class DisputeActionError extends Error {}

export interface DisputeActionParts {
  db: Db;
  cards: CardAccounts;
  now(): Date;
}

type Action = (parts: DisputeActionParts, word: string) => Promise<string[]>;

const actions: Readonly<Record<string, { words: 0 | 1; run: Action }>> = {
  list: { words: 0, run: (parts) => list(parts, { isAll: false }) },
  all: { words: 0, run: (parts) => list(parts, { isAll: true }) },
  show: { words: 1, run: show },
  refunds: { words: 0, run: refunds },
  read: { words: 1, run: read },
};

const MAX_LISTED = 500;

/**
 * Runs one action of `npm run payments:disputes` from its typed words. Returns the lines to print. @throws DisputeActionError
 * that says what to do
 */
export async function runDisputeAction(parts: DisputeActionParts, [name = "", ...words]: readonly string[]) {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action || words.length !== action.words) throw new DisputeActionError(DISPUTE_USAGE);
  return action.run(parts, words[0] ?? "");
}

async function list({ db, now }: DisputeActionParts, { isAll }: { isAll: boolean }): Promise<string[]> {
  const disputes = await listDisputes(db, { isAll, max: MAX_LISTED });
  if (disputes.length === 0) return [isAll ? "No payment was ever disputed." : "No dispute is open."];
  const waiting = disputes.filter((dispute) => isAsked(dispute)).length;
  return [
    ...disputes.map((dispute) => describe(dispute, now())),
    `${disputes.length} shown; ${waiting} ${waiting === 1 ? "waits" : "wait"} for evidence, which you submit in the card provider's dashboard.`,
  ];
}

function isAsked({ state, hasEvidence, evidenceDueAt }: ListedDispute): boolean {
  return (state === "inquiry" || state === "needs_response") && !hasEvidence && evidenceDueAt !== null;
}

function describe(dispute: ListedDispute, now: Date): string {
  const { publicId, providerDisputeId, state, reason, amountPence, feePence, partner, mode, evidenceDueAt } = dispute;
  const words = [
    publicId,
    providerDisputeId,
    `${state}${mode === "test" ? " (test)" : ""}`,
    reason,
    `${formatPence(amountPence)}${feePence > 0 ? ` and ${formatPence(feePence)} fee` : ""}`,
    `${partner}: ${dispute.reference}`,
  ];
  if (isAsked(dispute) && evidenceDueAt) words.push(dueText(evidenceDueAt, now));
  else if (dispute.hasEvidence && state !== "won" && state !== "lost") words.push("evidence sent");
  return words.join("  ");
}

const DAY_MS = 24 * 60 * 60_000;

/** Returns when evidence is due, and how long that is from now, so that the most urgent stands out. */
export function dueText(dueAt: Date, now: Date): string {
  const left = dueAt.getTime() - now.getTime();
  const day = `${dueAt.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  if (left < 0) return `evidence was due ${day}`;
  const days = Math.floor(left / DAY_MS);
  return `evidence due ${day}, ${days === 0 ? "today" : `in ${days} ${days === 1 ? "day" : "days"}`}`;
}

async function show({ db, now }: DisputeActionParts, id: string): Promise<string[]> {
  const disputes = await findDisputes(db, { id });
  if (disputes.length === 0) throw new DisputeActionError(`There is no dispute ${id}. "all" lists every one.`);
  return disputes.flatMap((dispute) => [
    describe(dispute, now()),
    `  payment ${dispute.paymentPublicId}, disputed ${dispute.openedAt.toISOString()}`,
    ...dispute.changes.map(
      ({ changedAt, state, withdrawnPence, feePence }) =>
        `  ${changedAt.toISOString()}  ${state}, ${formatPence(withdrawnPence)} withdrawn, ${formatPence(feePence)} fee`,
    ),
    ...dispute.lines.map(
      ({ publicId, state, reason, isLost }) =>
        `  gift-card line ${publicId}  ${state}${reason === null ? "" : ` (${reason})`}${isLost ? ", the buyer keeps the card" : ""}`,
    ),
  ]);
}

async function refunds({ db }: DisputeActionParts): Promise<string[]> {
  const noted = await listNotedRefunds(db, { max: MAX_LISTED });
  if (noted.length === 0) return ["Every refund was made by us, and arrived."];
  return noted.map(({ paymentPublicId, providerRefundId, partner, amountPence, state, madeBy, madeAt }) =>
    [
      madeAt.toISOString(),
      providerRefundId,
      `payment ${paymentPublicId}`,
      partner,
      formatPence(amountPence),
      madeBy === "provider" ? "made in the dashboard" : "made by us",
      ...(state === "returned" ? ["sent back by the payer's bank: pay it in another way"] : []),
    ].join("  "),
  );
}

async function read({ db, cards, now }: DisputeActionParts, publicId: string): Promise<string[]> {
  const payment = await findPaymentRow(db, { publicId });
  if (!payment?.providerPaymentId)
    throw new DisputeActionError(`There is no payment ${publicId} at the card provider.`);
  const { providerPaymentId } = payment;
  try {
    const account = accountFor(cards, payment.mode);
    const mode = modeOf(cards, account);
    const done = await readPayment(db, account, { providerPaymentId, about: "all", mode, now: now() });
    if (done.outcome === "contradiction") throw new DisputeActionError(`Nothing was changed. ${done.why}`);
    if (done.outcome === "unknown") throw new DisputeActionError("The card provider does not know this payment.");
    const { state, amountPence, refundedPence } = done.payment;
    const disputes = await findDisputes(db, { id: publicId });
    return [
      `Payment ${publicId} is ${state}: ${formatPence(refundedPence)} of ${formatPence(amountPence)} has gone back.`,
      ...disputes.map((dispute) => describe(dispute, now())),
    ];
  } catch (error) {
    const isKnown =
      error instanceof NoCardAccountError ||
      error instanceof CardProviderUnavailableError ||
      error instanceof CardProviderRefusalError;
    throw isKnown ? new DisputeActionError(`${error.message} Nothing was changed.`) : error;
  }
}
