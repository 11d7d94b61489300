import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { subjects, type SubjectType } from "./subjects.ts";

/** A record's state as the log keeps it (subjects.ts). */
export type RecordState = Record<string, unknown>;

/** Returns the state of a record now; null if there is none. */
export async function findState(
  db: Db | Trx,
  { type, id }: { type: SubjectType; id: string },
): Promise<RecordState | null> {
  const { table, key, keeps } = subjects[type];
  const kept = keeps.map((each) =>
    typeof each === "string"
      ? sql`${sql.lit(each)}, record.${sql.id(each)}`
      : sql`${sql.lit(each.as)}, ${sql.raw(each.sql)}`,
  );
  const { rows } = await sql<{ state: RecordState }>`
    select jsonb_build_object(${sql.join(kept)}) as state from ${sql.table(table)} record
    where record.${sql.id(key)}::text = ${id}`.execute(db);
  return rows[0]?.state ?? null;
}
