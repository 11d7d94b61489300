import type { Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";

const key = sql`hashtext('farthing catalogue import')`;

/** Waits until no other import runs; held until the transaction ends. */
export async function lockImports(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${key})`.execute(trx);
}

/**
 * Keeps imports from beginning until the transaction ends. Returns false, at once, while one runs: it may take minutes. The
 * lock is shared, so that what keeps imports out is never taken for one: a commit releases its locks one after the other.
 */
export async function keepImportsOut(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{
    isLocked: boolean;
  }>`select pg_try_advisory_xact_lock_shared(${key}) as "isLocked"`.execute(trx);
  return rows[0]?.isLocked === true;
}
