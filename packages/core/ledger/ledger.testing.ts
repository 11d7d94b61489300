import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { foldTotals } from "./totals.server.ts";

/**
 * Folds until no entry is above the watermark. One fold may leave entries for the next: transaction ids are shared by the whole server, on which other
 * tests have open transactions.
 */
export async function foldEverything(db: Db): Promise<void> {
  for (;;) {
    await foldTotals(db);
    const { rows } = await sql`
      select from ledger_entries where xact_id >= (select folded_below from ledger_watermark) limit 1`.execute(db);
    if (rows.length === 0) return;
  }
}
