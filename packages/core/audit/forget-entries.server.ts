import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { ACCOUNTS_DAYS } from "../retention/rules.ts";

const ENTRIES_AT_A_TIME = 1_000;

/**
 * Deletes the oldest entries of the audit log that no accounts need any more, a thousand at most, and notes after which the chain begins
 * (checked by findBrokenEntries). The last entry stays: the next one follows it. Returns the number deleted.
 */
export async function forgetOldEntries(db: Db, { now }: { now: Date }): Promise<number> {
  const before = new Date(now.getTime() - ACCOUNTS_DAYS * 86_400_000);
  return db.transaction().execute(async (trx) => {
    // The lock of chain_audit_entry: nothing is written meanwhile, and one worker at a time gets here.
    await sql`select pg_advisory_xact_lock(hashtextextended('audit_entries', 0))`.execute(trx);
    const { rows } = await sql<{ seq: number; at: Date; hash: Buffer }>`
      select seq, at, hash from audit_entries where seq < (select max(seq) from audit_entries)
      order by seq limit ${ENTRIES_AT_A_TIME}`.execute(trx);
    const young = rows.findIndex(({ at }) => at >= before);
    const last = rows.at(young === -1 ? -1 : young - 1);
    if (!last || young === 0) return 0;
    // Nobody has the right to delete entries (0042). Its owner takes it for this transaction, which the trigger limits to old ones.
    await sql`do $$ begin execute format('grant delete on audit_entries to %I', current_user); end $$`.execute(trx);
    const { numAffectedRows = 0n } = await sql`delete from audit_entries where seq <= ${last.seq}`.execute(trx);
    await sql`do $$ begin execute format('revoke delete on audit_entries from %I', current_user); end $$`.execute(trx);
    await sql`update audit_log_start set after_seq = ${last.seq}, after_hash = ${last.hash}`.execute(trx);
    return Number(numAffectedRows);
  });
}
