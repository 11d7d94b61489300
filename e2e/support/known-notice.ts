import { newId } from "@farthing/db/uuid.ts";
import { withStackDatabase } from "./stack-database.ts";

const DAY_MS = 86_400_000;

/** Adds a notice to members that is over, so that no page shows it: the demo data has none. */
export async function knownNotice(): Promise<void> {
  await withStackDatabase(async (db) => {
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
    await db
      .insertInto("notices")
      .values({
        ...{ id: newId(), kind: "planned", title: "Payouts pause for an hour", text: "Cashback is tracked as always." },
        ...{ since: daysAgo(3), until: daysAgo(2) },
      })
      .execute();
  });
}
