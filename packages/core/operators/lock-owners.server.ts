import type { Trx } from "@farthing/db/client.ts";

/**
 * Locks every owner who is not disabled, in the order of their ids, and returns the ids. Whoever changes an operator takes these locks
 * before any other lock on operators: two owners who change each other at the same moment take turns.
 */
export async function lockOwners(trx: Trx): Promise<string[]> {
  const rows = await trx
    .selectFrom("operators")
    .select("id")
    .where("role", "=", "owner")
    .where("disabled_at", "is", null)
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}
