import type { Trx } from "@farthing/db/client.ts";
import type { Payouts } from "@farthing/db/schema.ts";
import type { Selectable, Updateable } from "kysely";
import { canGo, type PayoutReason, type PayoutState } from "./rules.ts";

export type Payout = Omit<Selectable<Payouts>, "state" | "reason"> & {
  state: PayoutState;
  reason: PayoutReason | null;
};

/** Locks a payout and returns it. Lock its member first. */
export async function lockPayout(trx: Trx, id: string): Promise<Payout | undefined> {
  const row = await trx.selectFrom("payouts").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
  return row as Payout | undefined;
}

/** Updates a payout that is unchanged since it was read. @throws Error if the lifecycle has no such step, or it has changed */
export async function changePayout(
  trx: Trx,
  payout: Payout,
  { state, ...changes }: Omit<Updateable<Payouts>, "version" | "state"> & { state: PayoutState },
): Promise<Payout> {
  if (!canGo(payout.state, state)) throw new Error(`A payout can't go from ${payout.state} to ${state}.`);
  const changed = await trx
    .updateTable("payouts")
    .set({ ...changes, state, version: payout.version + 1 })
    .where("id", "=", payout.id)
    .where("version", "=", payout.version)
    .returningAll()
    .executeTakeFirst();
  if (!changed) throw new Error(`Payout ${payout.public_id} was changed by someone else.`);
  return changed as Payout;
}
