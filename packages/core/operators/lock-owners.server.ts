import type { Trx } from "@farthing/db/client.ts";

export interface LockedOwner {
  id: string;
  /** Whether they have a password. Those who have not joined yet, or were reset, have none. */
  canSignIn: boolean;
}

/**
 * Locks every owner who is not disabled, in the order of their ids, and returns them. Whoever changes an operator takes these locks
 * before any other lock on operators: two owners who change each other at the same moment take turns.
 */
export async function lockOwners(trx: Trx): Promise<LockedOwner[]> {
  const rows = await trx
    .selectFrom("operators")
    .select(["id", "password"])
    .where("role", "=", "owner")
    .where("disabled_at", "is", null)
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map(({ id, password }) => ({ id, canSignIn: password !== null }));
}
