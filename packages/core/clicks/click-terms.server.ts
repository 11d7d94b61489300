import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

const MAX_REMEMBERED = 10_000;

export interface ClickTerms {
  /** Stores the terms of these clicks, unless this process has stored them before. Asks the database nothing then. */
  keep(clicks: readonly { termsHash: string; terms?: string; createdAt: Date }[]): Promise<void>;
}

/**
 * Keeps the terms that clicks are made under, once for each hash (C5): a receipt prints them years later, when the retailer's page says
 * something else.
 */
export function openClickTerms(db: Db): ClickTerms {
  const kept = new Set<string>();
  return {
    async keep(clicks) {
      const fresh = new Map<string, { terms: string; createdAt: Date }>();
      for (const { termsHash, terms, createdAt } of clicks)
        if (terms !== undefined && !kept.has(termsHash)) fresh.set(termsHash, { terms, createdAt });
      if (fresh.size === 0) return;
      // In one order, so that two processes that meet the same terms at once cannot deadlock.
      const rows = [...fresh].sort(([a], [b]) => (a < b ? -1 : 1));
      await sql`
        insert into click_terms (terms_hash, terms, first_at)
        select * from unnest(${rows.map(([hash]) => hash)}::text[], ${rows.map(([, { terms }]) => terms)}::text[],
          ${rows.map(([, { createdAt }]) => createdAt)}::timestamptz[])
        on conflict (terms_hash) do nothing`.execute(db);
      if (kept.size + rows.length > MAX_REMEMBERED) kept.clear();
      for (const [hash] of rows) kept.add(hash);
    },
  };
}
