import type { Db, Trx } from "@farthing/db/client.ts";
import { isUuid } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { subjects, type Subject, type SubjectType } from "./subjects.ts";

/** A record's state as the log keeps it (subjects.ts). */
export type RecordState = Record<string, unknown>;

/** Returns the state of a record now; null if there is none. */
export async function findState(
  db: Db | Trx,
  { type, id }: { type: SubjectType; id: string },
): Promise<RecordState | null> {
  const { table, key, keyIs = "text", keeps }: Subject = subjects[type];
  if (!isKey[keyIs](id)) return null;
  const kept = keeps.map((each) =>
    typeof each === "string"
      ? sql`${sql.lit(each)}, record.${sql.id(each)}`
      : sql`${sql.lit(each.as)}, ${sql.raw(each.sql)}`,
  );
  const { rows } = await sql<{ state: RecordState }>`
    select jsonb_build_object(${sql.join(kept)}) as state from ${sql.table(table)} record
    where record.${sql.id(key)} = ${id}::${sql.raw(keyIs)}`.execute(db);
  return rows[0]?.state ?? null;
}

/** Whether a subject's id, which may come from an address, can be compared with a column of the type. */
const isKey = {
  text: () => true,
  uuid: isUuid,
  integer: (id: string) => /^\d{1,9}$/.test(id),
};
