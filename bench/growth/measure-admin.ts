import { openDatabase } from "@farthing/db/client.ts";
import { noteStatements } from "@farthing/db/testing/noted-statements.ts";
import { measurePages, share, type Measured as MeasuredPage } from "../admin/measure-pages.ts";
import { openAdmin } from "../admin/open-admin.ts";
import { findBusiest, findWords, nameFigure } from "../admin/what-to-open.ts";
import type { Reference } from "./reference.ts";
import type { Samples } from "./samples.ts";
import type { Measured } from "./verdicts.ts";

export interface AdminProbe {
  url: string;
  reference: Reference;
  now: Date;
  /** How often each statement is executed. */
  repeats: number;
  /** Opens few addresses of each kind. */
  isSmall: boolean;
}

const REFERENCES = 20;

/**
 * Opens every screen of the admin as bench/admin does: each list in each order, deep inside, filtered and searched. A list, a record and a figure of the
 * home page are one figure each: the slowest statement of their slowest address.
 */
export async function measureAdmin({ url, reference, now, repeats, isSmall }: AdminProbe): Promise<Measured[]> {
  const { pool, close } = openDatabase({ url, max: 1 });
  try {
    const noted = noteStatements(pool);
    const admin = await openAdmin(noted.db, { now });
    const probe = {
      ...{ noted, pool, repeats, ask: admin.ask },
      targetMs: Number.POSITIVE_INFINITY, // one round each
      perPattern: isSmall ? 1 : 4,
      maxChoices: isSmall ? 2 : 6,
      days: ["2000-01-01", now.toISOString().slice(0, 10)],
      also: await findBusiest(pool),
      words: (await findWords(pool)).slice(0, isSmall ? 2 : undefined),
    };
    const slowest = new Map<string, Samples>();
    let before = await reference.take(REFERENCES);
    for await (const page of measurePages(probe, nameFigure)) {
      if (page.problem !== null) throw new Error(`${page.address} ${page.problem}`);
      const after = await reference.take(REFERENCES);
      const samples = { values: page.times, references: alternated(before, after) };
      before = after;
      const name = nameOf(page);
      if (share(samples.values, 0.5) >= share(slowest.get(name)?.values ?? [], 0.5)) slowest.set(name, samples);
    }
    if (admin.errors.length > 0)
      throw new Error(`Pages failed: ${String(admin.errors[0])}`, { cause: admin.errors[0] });
    return [...slowest].map(([name, samples]) => ({
      ...{ group: "admin" as const, name, unit: "ms" as const, allowed: "logarithm" as const },
      samples,
    }));
  } finally {
    await close();
  }
}

function nameOf({ pattern, what }: MeasuredPage): string {
  if (what.startsWith("home: ")) return what;
  return /^(first|order|deep|filter|search)/.test(what) ? `${pattern}, a list` : pattern;
}

/** Mixes what was measured before with what was measured after, so that each third of the list has both. */
function alternated(before: readonly number[], after: readonly number[]): number[] {
  return before.flatMap((ms, index) => [ms, after[index] ?? ms]);
}
