import { commandLine } from "../command-line.ts";
import { payClosure, type PaidClosure } from "@farthing/core/closures/close-member.server.ts";
import { accountEnding, listOpenClosures } from "@farthing/core/closures/queries.server.ts";
import { tryOpenPayee } from "@farthing/core/closures/payee-seal.ts";
import { payeeHeldUntil } from "@farthing/core/closures/rules.ts";
import { sortCodeInPairs } from "@farthing/core/bank-details/rules.ts";
import { formatPence, parsePounds } from "@farthing/core/money/money.ts";
import type { Db } from "@farthing/db/client.ts";
import { recorded } from "./recorded.ts";

export const CLOSURE_USAGE = `${commandLine("closures <action>")}

  list                  members who leave, those with a waiting last payout first, and its bank details
  paid <id> <pounds>    records that the bank was told to pay this much, and closes the account

Your system account is recorded as who paid.`;

/** An error that the person at the command line can fix; printed without a stack. */
export class ClosureActionError extends Error {}

export interface ClosureActionParts {
  db: Db;
  /** Decrypt the bank details. */
  keys: readonly [string, ...string[]];
  by: string;
  now(): Date;
}

/**
 * Runs one action of `npm run closures` from its typed words. Returns the lines to print. @throws ClosureActionError
 * that says what to do.
 */
export async function runClosureAction(parts: ClosureActionParts, words: readonly string[]): Promise<string[]> {
  const [action, id, pounds, ...more] = words;
  if (action === "list" && id === undefined) return list(parts);
  if (action === "paid" && id !== undefined && pounds !== undefined && more.length === 0) return pay(parts, id, pounds);
  throw new ClosureActionError(CLOSURE_USAGE);
}

async function list({ db, keys, now }: ClosureActionParts): Promise<string[]> {
  const open = await listOpenClosures(db, { keys });
  if (open.length === 0) return ["Nobody is leaving."];
  return open.flatMap((closure) => {
    const { publicId, brand, memberNumber, requestedAt, pendingPence, payablePence, payee, hold, payeeUsableFrom } =
      closure;
    const head = `${publicId}  ${closure.state}  ${brand}  member ${memberNumber}  asked ${day(requestedAt)}`;
    if (closure.state === "requested")
      return [`${head}  pending ${formatPence(pendingPence)}, payable ${formatPence(payablePence)}`];
    if (payablePence <= 0) return [`${head}  nothing to pay by hand`];
    if (hold) return [head, `  pay nothing: payouts are ${inWords(hold)}`];
    const to =
      payee === "unreadable"
        ? `bank details that can't be decrypted: ${WAYS_TO_READ}`
        : payee
          ? `${payee.name}, ${sortCodeInPairs(payee.sortCode)}, ${payee.accountNumber}`
          : "no bank details yet: the member can give them in their profile";
    const until = payee === null ? null : payeeHeldUntil(payeeUsableFrom, now());
    return [head, `  pay ${formatPence(payablePence)} to ${to}${until ? `, not before ${until.toISOString()}` : ""}`];
  });
}

function inWords({ publicId, reason }: { publicId: string; reason: string }): string {
  return `on hold (${publicId}): ${reason}`;
}

const WAYS_TO_READ =
  "add the secret that they were given under to FARTHING_OLD_SECRETS, or ask the member to give them again";

async function pay(parts: ClosureActionParts, publicId: string, pounds: string): Promise<string[]> {
  const { keys, by } = parts;
  const amountPence = parsePounds(pounds);
  if (amountPence === null || amountPence <= 0)
    throw new ClosureActionError(`${pounds} is not an amount in pounds. Write it like 12.34.`);
  const what = {
    permission: "money.change",
    action: "member.pay-closure",
    subject: { type: "member", idOf: (paid: PaidClosure) => (paid.outcome === "paid" ? paid.memberId : "") },
    changed: (paid: PaidClosure) => paid.outcome === "paid",
  } as const;
  const result = await recorded(parts, what, (joined, now) =>
    payClosure(joined, {
      publicId,
      amountPence,
      accountEnding({ payee: sealed, member_id }) {
        const payee = tryOpenPayee(sealed ?? "", member_id, keys);
        // Nobody can have paid to details that nobody could read.
        if (!payee)
          throw new ClosureActionError(`Nothing was done: the bank details can't be decrypted: ${WAYS_TO_READ}.`);
        return accountEnding(payee);
      },
      by,
      now,
    }),
  );
  switch (result.outcome) {
    case "paid":
      return [
        result.isClosed
          ? `Paid ${formatPence(result.paidPence)}; the account is closed and its data erased.`
          : `Paid ${formatPence(result.paidPence)}; the account stays open, because the member waits for shops that have not decided yet.`,
      ];
    case "unknown":
      throw new ClosureActionError(`There is no closure ${publicId}. "list" shows the open ones.`);
    case "not-awaiting":
      throw new ClosureActionError(
        `Nothing was done: the closure is ${result.state ?? "over"}, not awaiting a payout.`,
      );
    case "nothing-payable":
      throw new ClosureActionError(
        "Nothing was done: the money was taken back, so nothing is payable. The account closes by itself.",
      );
    case "no-payee":
      throw new ClosureActionError("Nothing was done: the member has not entered bank details yet.");
    case "held":
      throw new ClosureActionError(
        `Nothing was done: the member changed the bank details, so nothing is paid to them before ${result.until.toISOString()}. Recall the transfer if the bank was told already.`,
      );
    case "in-batch":
      throw new ClosureActionError(`Nothing was done: the payment is in a batch of ${commandLine("payouts")}.`);
    case "on-hold":
      throw new ClosureActionError(
        `Nothing was done: the member's payouts are ${inWords(result.hold)}. Recall the transfer if the bank was told already. Once the question is settled, lift the hold with "${commandLine(`payouts lift ${result.hold.publicId}`)}" and run this command again.`,
      );
    case "other-amount":
      throw new ClosureActionError(
        `Nothing was done: ${formatPence(result.payablePence)} is payable now. Pay the difference, then run the command with the whole amount.`,
      );
  }
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
