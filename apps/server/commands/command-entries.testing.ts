import type { Db } from "@farthing/db/client.ts";

/** Returns what the log has of the commands that `by` typed, the oldest first: `<action> <id of the record>`. */
export async function commandEntries(db: Db, by: string): Promise<string[]> {
  const entries = await db
    .selectFrom("audit_entries")
    .select(["action", "subject_id as id"])
    .where("actor", "=", `command: ${by}`)
    .orderBy("seq")
    .execute();
  return entries.map(({ action, id }) => `${action} ${id}`);
}
