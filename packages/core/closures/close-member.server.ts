import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { balancePence } from "../ledger/balances.server.ts";
import { postTransfer } from "../ledger/operations.server.ts";
import { eachApart } from "../due-work/each-apart.server.ts";
import type { Pence } from "../money/money.ts";
import { queueMail } from "../mails/operations.server.ts";
import { lockMember } from "../members/lock-member.server.ts";
import { findPayableNow } from "../payable/payable-now.server.ts";
import { settleAsPaid } from "../payable/settle.server.ts";
import { erasePersonalData } from "../personal-data/erase-member.server.ts";
import { changeClosure, findClosingBalances, findClosure, type Closure } from "./closure-row.server.ts";
import { closureDays, daysAfter, nextClosureStep, payeeHeldUntil } from "./rules.ts";

/**
 * Moves due closures to their next state. Returns how many moved. Safe with any number of workers.
 * @throws AggregateError once all others have moved, if some could not
 */
export async function advanceClosures(db: Db, { now, max = 50 }: { now: Date; max?: number }): Promise<number> {
  const { rows: due } = await sql<{ member_id: string }>`
    select member_id from closures closure
    where cancellable_until <= ${now} and (state = 'requested'
      or state = 'awaiting_payout' and coalesce((select ${balancePence} from ledger_accounts account
        where account.member_id = closure.member_id and account.account_kind = 'member_payable'), 0) <= 0)
    order by requested_at, id`.execute(db);
  const step = ({ member_id }: { member_id: string }) =>
    db.transaction().execute((trx) => advance(trx, member_id, now));
  return eachApart(due, step, { nameOf: closureOf, max });
}

function closureOf({ member_id }: { member_id: string }): string {
  return `The closure of member ${member_id}`;
}

async function advance(trx: Trx, memberId: string, now: Date): Promise<boolean> {
  const member = await lockMember(trx, { memberId });
  const closure = member && (await findClosure(trx, memberId));
  if (!closure) return false;
  // A payout under way arrives, or comes back, first: its money would be lost with the account.
  if (await hasOpenPayout(trx, memberId)) return false;
  const balances = await findClosingBalances(trx, memberId);
  const step = nextClosureStep(
    {
      state: closure.state,
      pendingChoice: closure.pending_choice,
      payableChoice: closure.payable_choice,
      cancellableUntil: closure.cancellable_until,
      ...balances,
    },
    now,
  );
  if (step === "wait") return false;
  if (step === "await-payout") {
    await changeClosure(trx, closure, { state: "awaiting_payout", due_at: now });
    // Money has arrived since they asked, the account was removed, or an operator started the closing and none was named.
    if (closure.payee === null)
      await queueMail(trx, {
        brandId: closure.brand_id,
        memberId,
        to: member.email,
        mail: { kind: "closure-bank-details", payablePence: balances.payablePence },
        now,
      });
  } else {
    const wasTakenBack = closure.state === "awaiting_payout" && closure.paid_pence === null;
    await close(trx, { closure, email: member.email, accountEnding: null, wasTakenBack, now });
  }
  return true;
}

async function hasOpenPayout(trx: Trx, memberId: string): Promise<boolean> {
  const open = await trx
    .selectFrom("payouts")
    .select("id")
    .where("member_id", "=", memberId)
    .where("state", "in", ["requested", "processing"])
    .executeTakeFirst();
  return open !== undefined;
}

export interface NewPayment {
  publicId: string;
  /** The amount of the bank transfer. */
  amountPence: number;
  /** The last digits of the account, for the last mail. */
  accountEnding: (closure: Closure) => string;
  /** The operator who is recorded as having paid. */
  by: string;
  now: Date;
}

export type PaidClosure =
  /** `isClosed`: false where the member waits for shops that have not decided yet. */
  | { outcome: "paid"; memberId: string; paidPence: number; isClosed: boolean }
  | { outcome: "unknown" | "not-awaiting"; state?: string }
  /** The amount that was paid differs from what is payable by now. */
  | { outcome: "other-amount"; payablePence: number }
  /** Shops have taken back what there was: the account closes by itself. */
  | { outcome: "nothing-payable" }
  | { outcome: "no-payee" }
  /** The account was changed: nothing is paid to it before `until`. */
  | { outcome: "held"; until: Date }
  /** It is in a batch of payouts already. */
  | { outcome: "in-batch" }
  /** An operator holds the member's payouts. */
  | { outcome: "on-hold"; hold: { publicId: string; reason: string } };

/**
 * Records that an operator has paid a member who leaves: moves everything payable to paid and closes the account, unless
 * the member waits for shops, in one transaction. `amountPence` is the amount of the bank transfer; if it differs from what is payable by now, nothing
 * changes, so that books and bank agree. Repeating the call does nothing.
 */
export async function payClosure(db: Db, paid: NewPayment): Promise<PaidClosure> {
  const known = await db
    .selectFrom("closures")
    .select("member_id")
    .where("public_id", "=", paid.publicId)
    .executeTakeFirst();
  if (!known) return { outcome: "unknown" };
  return db.transaction().execute((trx) => payLocked(trx, known.member_id, paid));
}

async function payLocked(trx: Trx, memberId: string, paid: NewPayment): Promise<PaidClosure> {
  const member = await lockMember(trx, { memberId });
  const closure = member && (await findClosure(trx, memberId));
  if (!closure || closure.public_id !== paid.publicId || closure.state !== "awaiting_payout")
    return { outcome: "not-awaiting", state: closure?.state ?? "over" };
  if (closure.payee === null) return { outcome: "no-payee" };
  if (await hasOpenPayout(trx, memberId)) return { outcome: "in-batch" };
  const hold = await findHold(trx, memberId);
  if (hold) return { outcome: "on-hold", hold };
  const until = payeeHeldUntil(closure.payee_usable_from, paid.now);
  if (until) return { outcome: "held", until };
  const { payablePence, entryIds } = await findPayableNow(trx, { memberId });
  if (payablePence <= 0) return { outcome: "nothing-payable" };
  if (payablePence !== paid.amountPence) return { outcome: "other-amount", payablePence };
  await settleAsPaid(trx, {
    memberId,
    amountPence: payablePence,
    from: "payable",
    entryIds,
    key: `closure:${closure.id}:${closure.version}:paid`,
    cause: { kind: "closure", id: closure.id },
    now: paid.now,
  });
  const settled = await changeClosure(trx, closure, {
    paid_pence: (closure.paid_pence ?? 0) + payablePence,
    paid_at: paid.now,
    paid_by: paid.by,
  });
  const accountEnding = paid.accountEnding(closure);
  const isClosed = !(await waitsForShops(trx, settled));
  if (isClosed) await close(trx, { closure: settled, email: member.email, accountEnding, now: paid.now });
  return { outcome: "paid", memberId, paidPence: payablePence, isClosed };
}

/** Returns whether the member chose to wait and a shop has still to decide: a sale may be reported after the payout was asked for. */
async function waitsForShops(trx: Trx, { member_id, pending_choice }: Closure): Promise<boolean> {
  return pending_choice === "wait" && (await findClosingBalances(trx, member_id)).pendingPence > 0;
}

async function findHold(trx: Trx, memberId: string): Promise<{ publicId: string; reason: string } | null> {
  const hold = await trx
    .selectFrom("payout_holds")
    .select(["public_id as publicId", "reason"])
    .where("member_id", "=", memberId)
    .where("lifted_at", "is", null)
    .executeTakeFirst();
  return hold ?? null;
}

/** Closes an account: moves the remaining money to the club, queues the last mail, and erases the person's data. */
async function close(
  trx: Trx,
  closing: {
    closure: Closure;
    email: string;
    accountEnding: string | null;
    /** The whole payout that the member waited for was taken back: by shops, or by the club. */
    wasTakenBack?: boolean;
    now: Date;
  },
): Promise<void> {
  const { closure, email, accountEnding, wasTakenBack = false, now } = closing;
  const settled = await giveUpPayable(trx, closure, now);
  await changeClosure(trx, settled, {
    state: "closed",
    closed_at: now,
    ...(settled.paid_at ? {} : { payee: null }),
  });
  await erasePersonalData(trx, { memberId: closure.member_id, now });
  await queueMail(trx, {
    brandId: closure.brand_id,
    memberId: closure.member_id,
    to: email,
    now,
    mail: {
      kind: "closure-done",
      paidPence: settled.paid_pence ?? 0,
      accountEnding,
      givenUpPence: settled.given_up_pence,
      wasTakenBack,
    },
  });
}

/**
 * Closes the account of a member whose last payout has arrived (C6), in the transaction that records it, unless more is
 * payable or the member waits for shops. The caller has locked the member.
 */
export async function closeAfterPayout(
  trx: Trx,
  paid: { memberId: string; paidPence: number; accountEnding: string | null; by: string; now: Date },
): Promise<void> {
  const { memberId, paidPence, accountEnding, by, now } = paid;
  const member = await lockMember(trx, { memberId });
  const closure = await findClosure(trx, memberId);
  if (!member || closure?.state !== "awaiting_payout") return;
  const settled = await changeClosure(trx, closure, {
    paid_pence: (closure.paid_pence ?? 0) + paidPence,
    paid_at: now,
    paid_by: by,
  });
  // What has become payable since is paid as well: the closure waits for another payout.
  const { payablePence } = await findPayableNow(trx, { memberId });
  if (payablePence > 0 || (await waitsForShops(trx, settled))) return;
  await close(trx, { closure: settled, email: member.email, accountEnding, now });
}

/**
 * Deletes the account that a last payout did not reach, and asks the member for another one, unless nothing is payable: then the account
 * closes by itself. `notPaid`: the payment that did not reach it, and why, for the member; null: the account is removed for another reason.
 * `returnedPence`: what had counted as paid and came back. Returns false where nobody waits for a payout any more, and then does nothing.
 */
export async function forgetPayee(
  trx: Trx,
  {
    memberId,
    notPaid,
    returnedPence,
    now,
  }: {
    memberId: string;
    notPaid: { amountPence: Pence; reason: string } | null;
    returnedPence: number;
    now: Date;
  },
): Promise<boolean> {
  const member = await lockMember(trx, { memberId });
  const closure = await findClosure(trx, memberId);
  if (!member || closure?.state !== "awaiting_payout") return false;
  const paidPence = (closure.paid_pence ?? 0) - returnedPence;
  const paid = paidPence > 0 ? { paid_pence: paidPence } : { paid_pence: null, paid_at: null, paid_by: null };
  await changeClosure(trx, closure, { payee: null, ...(returnedPence > 0 && paid) });
  const { payablePence } = await findClosingBalances(trx, memberId);
  if (payablePence <= 0) return true;
  const mail = { kind: "closure-bank-details", payablePence, notPaid } as const;
  await queueMail(trx, { brandId: closure.brand_id, memberId, to: member.email, mail, now });
  return true;
}

/** Gives up what is payable and will not be paid out, and moves it to the club in the ledger. */
async function giveUpPayable(trx: Trx, closure: Closure, now: Date): Promise<Closure> {
  const { member_id: memberId } = closure;
  const cause = { kind: "closure", id: closure.id } as const;
  const { payablePence: wholePence, entryIds } = await findPayableNow(trx, { memberId });
  const payablePence = wholePence - (await findReturnedPence(trx, memberId));
  if (payablePence <= 0) return closure;
  const key = `closure:${closure.id}:${closure.version}`;
  await settleAsPaid(trx, {
    memberId,
    amountPence: payablePence,
    from: "payable",
    entryIds,
    key: `${key}:settled`,
    cause,
    now,
  });
  await postTransfer(trx, {
    key,
    kind: "closure_given_up",
    legs: [
      { account: { kind: "member_paid", memberId }, amountPence: -payablePence },
      { account: { kind: "club_given_up" }, amountPence: payablePence },
    ],
    cause,
    happenedAt: now,
  });
  return changeClosure(trx, closure, { given_up_pence: closure.given_up_pence + payablePence });
}

/** Payments that came back after their account was closed: nobody's cashback, they stay for their owner to claim. */
const returnedPence = sql<Pence>`coalesce((select sum(payout.amount_pence) from payouts payout
  where payout.member_id = closure.member_id and payout.state = 'returned' and payout.returned_at >= closure.closed_at), 0)::bigint`;

async function findReturnedPence(trx: Trx, memberId: string): Promise<Pence> {
  const { rows } = await sql<{ pence: Pence }>`
    select ${returnedPence} as pence from closures closure where member_id = ${memberId} and state = 'closed'`.execute(
    trx,
  );
  return rows[0]?.pence ?? 0;
}

/** Gives up money that became payable after its member had left: of purchases, and of gift cards. Returns for how many members. @throws as advanceClosures does */
export async function settleLateCashback(db: Db, { now }: { now: Date }): Promise<number> {
  const { rows: late } = await sql<{ member_id: string }>`
    select closure.member_id from closures closure
      join ledger_accounts account on account.member_id = closure.member_id and account.account_kind = 'member_payable'
    where closure.state = 'closed' and ${balancePence} > ${returnedPence}`.execute(db);
  const settle = ({ member_id }: { member_id: string }) =>
    db.transaction().execute(async (trx) => {
      await lockMember(trx, { memberId: member_id });
      const closure = await findClosure(trx, member_id);
      return closure?.state === "closed" && (await giveUpPayable(trx, closure, now)) !== closure;
    });
  return eachApart(late, settle, { nameOf: closureOf });
}

/**
 * Erases what was kept for the last mail once it is sent, and bank details once the payment can't be returned any more.
 * Returns the number of closures. @throws as advanceClosures does
 */
export async function finishClosures(db: Db, { now }: { now: Date }): Promise<number> {
  const { rows } = await sql<{ member_id: string }>`
    select member_id from closures c where c.state = 'closed' and c.erased_at is null
      and not exists (select from mails m where m.member_id = c.member_id and m.state = 'waiting')
    union
    select member_id from closures where payee is not null and paid_at <= ${daysAfter(now, -closureDays.keepPayee)}`.execute(
    db,
  );
  const finish = ({ member_id }: { member_id: string }) =>
    db.transaction().execute(async (trx) => {
      await lockMember(trx, { memberId: member_id });
      const closure = await findClosure(trx, member_id);
      if (closure?.state !== "closed") return false;
      await trx.deleteFrom("mails").where("member_id", "=", member_id).where("state", "!=", "waiting").execute();
      const isPayeeOver = closure.paid_at !== null && closure.paid_at <= daysAfter(now, -closureDays.keepPayee);
      await changeClosure(trx, closure, {
        erased_at: closure.erased_at ?? now,
        ...(isPayeeOver ? { payee: null } : {}),
      });
      return true;
    });
  return eachApart(rows, finish, { nameOf: closureOf });
}
