import { insertLongHistory } from "@farthing/core/cashback/insert-long-history.testing.ts";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { foldTotals } from "@farthing/core/ledger/totals.server.ts";
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { insertMemberWithPassword } from "@farthing/server/sign-in/accounts.testing.ts";
import { loadClub } from "../admin/load-club.ts";
import type { GrowthSize } from "./sizes.ts";

/** The member whose pages are measured. Their history is the same at each size: bench/profile measures what long ones cost. */
export const measuredMember = { email: "measured@bench.example", purchases: 30 };

export interface MakeOptions {
  size: GrowthSize;
  /** The measured member's. */
  purchases?: number;
  now: Date;
  tell(line: string): void;
}

/** Fills a migrated database with a club, made searchable, and one member who can log in at the default brand. */
export async function makeClub(
  url: string,
  { size, purchases = measuredMember.purchases, now, tell }: MakeOptions,
): Promise<void> {
  await loadClub(url, { size, now, onStep: (makes, ms) => tell(`${makes}: ${seconds(ms)}`) });
  const { db, pool, close } = openDatabase({ url, max: 2 });
  try {
    const from = performance.now();
    await indexCatalogue(db, { now });
    tell(`search's index: ${seconds(performance.now() - from)}`);
    const brand = await db
      .selectFrom("brands")
      .select(["id", "slug"])
      .where("is_default", "=", true)
      .executeTakeFirstOrThrow();
    const memberId = await insertMemberWithPassword(db, brand, measuredMember.email);
    await insertLongHistory(db, { brandId: brand.id, memberId, entries: purchases, now });
    await foldTotals(db);
    // Batches were loaded with their numbers.
    await pool.query(
      "select setval(pg_get_serial_sequence('payout_batches', 'batch_number'), (select max(batch_number) from payout_batches))",
    );
    const { faults, entries } = await checkLedger(db);
    if (faults.length > 0) throw new Error(`The loaded books have faults: ${faults[0]}`);
    // As autovacuum leaves tables: without it, reads of an index alone look up each row.
    const vacuuming = performance.now();
    await pool.query("vacuum analyze");
    tell(`vacuum: ${seconds(performance.now() - vacuuming)}`);
    await pool.query("checkpoint");
    tell(`${entries.toLocaleString("en-GB")} ledger entries that balance`);
  } finally {
    await close();
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
