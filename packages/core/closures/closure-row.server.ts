import type { Db, Trx } from "@farthing/db/client.ts";
import type { Closures } from "@farthing/db/schema.ts";
import type { Selectable, Updateable } from "kysely";
import { findMemberBalances } from "../ledger/balances.server.ts";
import { CLOSURE_TRANSITIONS, type ClosureState, type MoneyChoices } from "./rules.ts";

export type Closure = Omit<Selectable<Closures>, "state" | "pending_choice" | "payable_choice"> & {
  state: ClosureState;
  pending_choice: MoneyChoices["pendingChoice"];
  payable_choice: MoneyChoices["payableChoice"];
};

/** Returns pending and payable money in pence, from the ledger. */
export async function findClosingBalances(
  db: Db | Trx,
  memberId: string,
): Promise<{ pendingPence: number; payablePence: number }> {
  const { member_tracked, member_confirmed, member_payable } = await findMemberBalances(db, { memberId });
  return { pendingPence: member_tracked + member_confirmed, payablePence: member_payable };
}

/** Returns the closure of a locked member, unless it is cancelled. */
export async function findClosure(db: Db | Trx, memberId: string): Promise<Closure | null> {
  const row = await db
    .selectFrom("closures")
    .selectAll()
    .where("member_id", "=", memberId)
    .where("state", "!=", "cancelled")
    .executeTakeFirst();
  return (row as Closure | undefined) ?? null;
}

/**
 * Updates a closure that is unchanged since it was read. @throws Error if the lifecycle has no such step, or if the
 * closure has changed
 */
export async function changeClosure(
  trx: Trx,
  closure: Closure,
  changes: Omit<Updateable<Closures>, "version" | "state"> & { state?: ClosureState },
): Promise<Closure> {
  const { state = closure.state } = changes;
  if (state !== closure.state && !(CLOSURE_TRANSITIONS[closure.state] as readonly string[]).includes(state))
    throw new Error(`A closure can't go from ${closure.state} to ${state}.`);
  const changed = await trx
    .updateTable("closures")
    .set({ ...changes, version: closure.version + 1 })
    .where("id", "=", closure.id)
    .where("version", "=", closure.version)
    .returningAll()
    .executeTakeFirst();
  if (!changed) throw new Error(`Closure ${closure.id} was changed by someone else.`);
  return changed as Closure;
}
