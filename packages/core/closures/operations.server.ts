import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { queueMail } from "../mails/operations.server.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { lockMember } from "../members/lock-member.server.ts";
import { formatPence } from "../money/money.ts";
import { changeClosure, findClosingBalances, findClosure } from "./closure-row.server.ts";
import { closureDays, daysAfter, needsPayee, type MoneyChoices } from "./rules.ts";
import type { BankAccount as Payee } from "../bank-details/bank-account.ts";
import { sealPayee } from "./payee-seal.ts";

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
    const money = moneyInWords(request, balances);
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

/** Stores the account for the last payout, which can be corrected until it is paid. */
export async function changePayee(
  db: Db,
  { brandId, memberId, payee, keys }: { brandId: string; memberId: string; payee: Payee; keys: SecretKeys },
): Promise<"changed" | "too-late"> {
  return db.transaction().execute(async (trx) => {
    const closure = await findLocked(trx, { brandId, memberId });
    if (!closure || (closure.state !== "requested" && closure.state !== "awaiting_payout")) return "too-late";
    await changeClosure(trx, closure, { payee: sealPayee(payee, memberId, keys), payable_choice: "pay-out" });
    return "changed";
  });
}

async function findLocked(trx: Trx, who: { brandId: string; memberId: string }) {
  const member = await lockMember(trx, who);
  return member ? findClosure(trx, member.id) : null;
}

/** Returns what a member is told about their money before they leave. */
export function moneyInWords(
  { pendingChoice, payableChoice }: MoneyChoices,
  { pendingPence, payablePence }: { pendingPence: number; payablePence: number },
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
      payableChoice === "pay-out"
        ? `${formatPence(payablePence)} is yours: we pay it to the bank account you named before the account is closed.`
        : `${formatPence(payablePence)} is yours. You leave it with us, as you chose.`,
    );
  return words;
}
