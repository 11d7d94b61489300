import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/**
 * Returns the numbers of entries that are not what was written: changed, or not following the entry before them
 * because one was removed. The oldest begins where retention has ended the log (audit_log_start). Reads the whole log; for a command.
 */
export async function findBrokenEntries(db: Db, { max = 20 } = {}): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`
    select seq from (
      select entry.seq, entry.hash, entry.previous_hash,
        lag(entry.hash) over (order by entry.seq) as expected_previous,
        lag(entry.seq) over (order by entry.seq) as last_seq,
        sha256(entry.previous_hash || convert_to(jsonb_build_array(entry.seq, entry.id, extract(epoch from entry.at),
          entry.operator_id, entry.actor, entry.action, entry.subject_type, entry.subject_id, entry.before, entry.after,
          entry.why, entry.request_id)::text, 'UTF8')) as expected
      from audit_entries entry
    ) chained, audit_log_start start
    where hash <> expected
      or previous_hash <> coalesce(expected_previous, start.after_hash)
      or seq <> coalesce(last_seq, start.after_seq) + 1
    order by seq limit ${max}`.execute(db);
  return rows.map(({ seq }) => seq);
}
