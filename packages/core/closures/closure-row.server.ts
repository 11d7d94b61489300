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

/** What is pending and what is payable, in pence, as the ledger has it. */
export async function findClosingBalances(
  db: Db | Trx,
  memberId: string,
): Promise<{ pendingPence: number; payablePence: number }> {
  const { member_tracked, member_confirmed, member_payable } = await findMemberBalances(db, { memberId });
  return { pendingPence: member_tracked + member_confirmed, payablePence: member_payable };
}

/** The closure of a locked member that is not cancelled. */
export async function findClosure(db: Db | Trx, memberId: string): Promise<Closure | null> {
  const row = await db
    .selectFrom("closures")
    .selectAll()
    .where("member_id", "=", memberId)
    .where("state", "!=", "cancelled")
    .executeTakeFirst();
  return (row as Closure | undefined) ?? null;
}

/** Changes a closure that is still as it was read. @throws Error where the lifecycle has no such step, or somebody was faster */
export async function changeClosure(
  trx: Trx,
  closure: Closure,
  changes: Omit<Updateable<Closures>, "version" | "state"> & { state?: ClosureState },
): Promise<Closure> {
  const { state = closure.state } = changes;
  if (state !== closure.state && !(CLOSURE_TRANSITIONS[closure.state] as readonly string[]).includes(state))
    throw new Error(`A closure cannot go from ${closure.state} to ${state}.`);
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
