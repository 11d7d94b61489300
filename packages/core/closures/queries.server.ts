import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { findClosingBalances, findClosure } from "./closure-row.server.ts";
import { tryOpenPayee } from "./payee-seal.ts";
import type { BankAccount as Payee } from "../bank-details/bank-account.ts";
import { payeeHeldUntil, type ClosureState, type MoneyChoices } from "./rules.ts";

/** What a member sees before and while they leave. */
export interface ClosureView {
  balances: { pendingPence: number; payablePence: number };
  open:
    | (MoneyChoices & {
        state: Extract<ClosureState, "requested" | "awaiting_payout">;
        requestedAt: Date;
        cancellableUntil: Date;
        /** "ending in 5678"; null if none is given, or if what was given can't be decrypted any more: the member gives it again. */
        accountEnding: string | null;
        /** Until then nothing is paid to the account, because it was changed; null once that is over. */
        heldUntil: Date | null;
      })
    | null;
}

export async function findClosureView(
  db: Db,
  { memberId, keys, now }: { memberId: string; keys: SecretKeys; now: Date },
): Promise<ClosureView> {
  const [balances, closure] = await Promise.all([findClosingBalances(db, memberId), findClosure(db, memberId)]);
  if (!closure || (closure.state !== "requested" && closure.state !== "awaiting_payout"))
    return { balances, open: null };
  const ending = endingOf(closure.payee === null ? null : tryOpenPayee(closure.payee, memberId, keys));
  return {
    balances,
    open: {
      state: closure.state,
      pendingChoice: closure.pending_choice,
      payableChoice: closure.payable_choice,
      requestedAt: closure.requested_at,
      cancellableUntil: closure.cancellable_until,
      accountEnding: ending,
      heldUntil: ending === null ? null : payeeHeldUntil(closure.payee_usable_from, now),
    },
  };
}

/** Returns until when a member can stop the closure that is under way; null if there is none. */
export async function findOpenClosure(
  db: Db,
  { memberId }: { memberId: string },
): Promise<{ cancellableUntil: Date } | null> {
  const { rows } = await sql<{ cancellableUntil: Date }>`${keepPlan}
    select cancellable_until as "cancellableUntil" from closures
    where member_id = ${memberId} and state <> 'cancelled' and state in ('requested', 'awaiting_payout')`.execute(db);
  return rows[0] ?? null;
}

function endingOf(payee: Payee | null): string | null {
  return payee && accountEnding(payee);
}

/** Returns the last digits of an account number, enough to recognise it. */
export function accountEnding({ accountNumber }: Payee): string {
  return accountNumber.slice(-4);
}

export interface ClosureForOperator {
  publicId: string;
  state: ClosureState;
  brand: string;
  memberNumber: string;
  requestedAt: Date;
  cancellableUntil: Date;
  pendingPence: number;
  payablePence: number;
  /** Bank details for the operator who pays; null if none are given yet, `unreadable` if none of the keys decrypts them. */
  payee: Payee | "unreadable" | null;
  /** Nothing is paid to a changed account before this moment. */
  payeeUsableFrom: Date | null;
  /** The hold of an operator on the member's payouts: nothing is paid meanwhile. */
  hold: { publicId: string; reason: string } | null;
}

/** Returns open closures, those that wait for a payment first. Details that can't be decrypted hide nobody else's. */
export async function listOpenClosures(db: Db, { keys }: { keys: SecretKeys }): Promise<ClosureForOperator[]> {
  const { rows } = await sql<
    Omit<ClosureForOperator, "payee" | "pendingPence" | "payablePence"> & { memberId: string; sealed: string | null }
  >`
    select closure.public_id as "publicId", closure.state, brand.slug as brand, member.member_number as "memberNumber", closure.member_id as "memberId",
      closure.requested_at as "requestedAt", closure.cancellable_until as "cancellableUntil", closure.payee as sealed,
      closure.payee_usable_from as "payeeUsableFrom",
      (select jsonb_build_object('publicId', hold.public_id, 'reason', hold.reason) from payout_holds hold
        where hold.member_id = closure.member_id and hold.lifted_at is null) as hold
    from closures closure join brands brand on brand.id = closure.brand_id join members member on member.id = closure.member_id
    where closure.state in ('requested', 'awaiting_payout') order by closure.state, closure.requested_at`.execute(db);
  return Promise.all(
    rows.map(async ({ memberId, sealed, ...row }) => ({
      ...row,
      ...(await findClosingBalances(db, memberId)),
      payee: sealed === null ? null : (tryOpenPayee(sealed, memberId, keys) ?? "unreadable"),
    })),
  );
}
