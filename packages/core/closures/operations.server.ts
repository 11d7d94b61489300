import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { queueMail } from "../mails/operations.server.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { lockMember, lockSignedIn } from "../members/lock-member.server.ts";
import { formatPence } from "../money/money.ts";
import { forgetPayee } from "./close-member.server.ts";
import { changeClosure, findClosingBalances, findClosure, type Closure } from "./closure-row.server.ts";
import { closureDays, daysAfter, needsPayee, type MoneyChoices } from "./rules.ts";
import { announceChange } from "../bank-details/announce-change.server.ts";
import { HOLD_MS, isSameAccount, type BankAccount as Payee } from "../bank-details/bank-account.ts";
import { sealPayee, tryOpenPayee } from "./payee-seal.ts";

export interface ClosureRequest extends MoneyChoices {
  brandId: string;
  memberId: string;
  /** The account for the last payout; null if there can be none. */
  payee: Payee | null;
  /** An operator starts it for the member, who is asked for the account by mail when it is time to pay. */
  asksForPayeeLater?: boolean;
  keys: SecretKeys;
  now: Date;
}

export type RequestedClosure = { outcome: "requested" } | { outcome: "already" | "needs-payee" | "unknown" };

/** Records that a member asks to leave. Nothing is removed yet; a mail says what was chosen and how to cancel. */
export async function requestClosure(db: Db, request: ClosureRequest): Promise<RequestedClosure> {
  const { brandId, memberId, pendingChoice, payableChoice, keys, now } = request;
  return db.transaction().execute(async (trx): Promise<RequestedClosure> => {
    const member = await lockMember(trx, { brandId, memberId });
    if (!member || member.closed_at) return { outcome: "unknown" };
    if (await findClosure(trx, memberId)) return { outcome: "already" };
    const balances = await findClosingBalances(trx, memberId);
    const mustPay = needsPayee(request, balances);
    if (mustPay && !request.payee && !request.asksForPayeeLater) return { outcome: "needs-payee" };
    const cancellableUntil = daysAfter(now, closureDays.cancel);
    await trx
      .insertInto("closures")
      .values({
        id: newId(),
        brand_id: brandId,
        member_id: memberId,
        state: "requested",
        pending_choice: pendingChoice,
        payable_choice: payableChoice,
        pending_pence: Math.max(0, balances.pendingPence),
        payable_pence: balances.payablePence,
        payee: mustPay && request.payee ? sealPayee(request.payee, memberId, keys) : null,
        requested_at: now,
        cancellable_until: cancellableUntil,
      })
      .execute();
    const money = moneyInWords(request, { ...balances, hasPayee: request.payee !== null });
    const mail = { kind: "closure-requested", cancellableUntil: cancellableUntil.toISOString(), money } as const;
    await queueMail(trx, { brandId, memberId, to: member.email, mail, now });
    return { outcome: "requested" };
  });
}

/** Cancels a closure, which is possible until the account is closed. Erases bank details at once. */
export async function cancelClosure(
  db: Db,
  { brandId, memberId, now }: { brandId: string; memberId: string; now: Date },
): Promise<"cancelled" | "too-late" | "none"> {
  return db.transaction().execute(async (trx) => {
    const closure = await findLocked(trx, { brandId, memberId });
    if (!closure) return "none";
    if (closure.state !== "requested") return "too-late";
    await changeClosure(trx, closure, { state: "cancelled", cancelled_at: now, payee: null });
    return "cancelled";
  });
}

export interface ChangedPayee {
  brandId: string;
  memberId: string;
  /** The session that the member acts in: nothing changes once it has ended. */
  sessionId: string;
  payee: Payee;
  keys: SecretKeys;
  now: Date;
}

/**
 * Stores the account for the last payout, which can be corrected until it is paid. It is protected as bank details are (C6): nothing is paid
 * to it for 72 hours, and a mail tells the member, with a link that removes it again. The account that is there already changes nothing.
 * `signed-out`: the session has ended.
 */
export async function changePayee(
  db: Db,
  { brandId, memberId, sessionId, payee, keys, now }: ChangedPayee,
): Promise<"changed" | "same" | "too-late" | "signed-out"> {
  return db.transaction().execute(async (trx) => {
    const member = await lockSignedIn(trx, { brandId, memberId, sessionId });
    if (!member) return "signed-out";
    const closure = await findClosure(trx, memberId);
    if (!closure || !isOpen(closure)) return "too-late";
    const known = closure.payee === null ? null : tryOpenPayee(closure.payee, memberId, keys);
    if (known && isSameAccount(known, payee)) return "same";
    const usableFrom = new Date(now.getTime() + HOLD_MS);
    await changeClosure(trx, closure, {
      payee: sealPayee(payee, memberId, keys),
      payee_usable_from: usableFrom,
      payable_choice: "pay-out",
    });
    await announceChange(trx, { brandId, memberId, email: member.email, account: payee, usableFrom, now });
    return "changed";
  });
}

/**
 * Deletes the account for the last payout, and asks for another one if it is time to pay. The caller has locked the member. A payout that is
 * in a batch goes on.
 */
export async function removePayee(trx: Trx, { memberId, now }: { memberId: string; now: Date }): Promise<void> {
  const closure = await findClosure(trx, memberId);
  if (!closure || !isOpen(closure) || closure.payee === null) return;
  if (closure.state === "requested") await changeClosure(trx, closure, { payee: null });
  else await forgetPayee(trx, { memberId, notPaid: null, returnedPence: 0, now });
}

function isOpen({ state }: Closure): boolean {
  return state === "requested" || state === "awaiting_payout";
}

async function findLocked(trx: Trx, who: { brandId: string; memberId: string }) {
  const member = await lockMember(trx, who);
  return member ? findClosure(trx, member.id) : null;
}

/** Returns what a member is told about their money before they leave. */
export function moneyInWords(
  { pendingChoice, payableChoice }: MoneyChoices,
  { pendingPence, payablePence, hasPayee }: { pendingPence: number; payablePence: number; hasPayee: boolean },
): string[] {
  const words: string[] = [];
  if (pendingPence > 0)
    words.push(
      pendingChoice === "wait"
        ? `Shops have still to decide on ${formatPence(pendingPence)}. Your account stays open until they have, as you chose.`
        : `Shops have still to decide on ${formatPence(pendingPence)}. You leave without it, as you chose.`,
    );
  if (payablePence > 0)
    words.push(
      payableChoice === "give-up"
        ? `${formatPence(payablePence)} is yours. You leave it with us, as you chose.`
        : hasPayee
          ? `${formatPence(payablePence)} is yours: we pay it to the bank account you named before the account is closed.`
          : `${formatPence(payablePence)} is yours: we ask you for a bank account, and pay it there before your account is closed.`,
    );
  return words;
}
