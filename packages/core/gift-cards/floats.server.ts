import type { Db } from "@farthing/db/client.ts";
import { DatabaseUnavailableError } from "@farthing/db/unavailable.ts";
import { sql } from "kysely";
import type { Pence } from "../money/money.ts";
import { thresholdSql } from "../thresholds/threshold-values.server.ts";
import type { CardIssuer } from "./issuer.ts";

/** How often an issuer is asked for its float. */
export const FLOAT_READ_MS = 5 * 60_000;

/** What an issuer said of its float last. */
export interface IssuerFloat {
  issuer: string;
  pence: Pence;
  readAt: Date;
}

/** An issuer whose float could not be read, and why. */
export interface UnreadFloat {
  issuer: string;
  error: unknown;
}

/** Returns what issuers said of their floats last, by issuer. */
export async function findFloats(db: Db): Promise<IssuerFloat[]> {
  const { rows } = await sql<IssuerFloat>`
    select issuer, float_pence as pence, read_at as "readAt" from issuer_floats order by issuer`.execute(db);
  return rows;
}

/**
 * Asks each issuer how much of our money is left, unless it answered within the last five minutes (G5), and forgets issuers that are not set up any more.
 * An issuer that fails, for whatever reason, holds up none of the others.
 * @returns the issuers that could not be read: what they said before stays, with its time
 * @throws DatabaseUnavailableError
 */
export async function readFloats(
  db: Db,
  { issuers, now }: { issuers: ReadonlyMap<string, CardIssuer>; now: Date },
): Promise<UnreadFloat[]> {
  const slugs = [...issuers.values()].map(({ slug }) => slug);
  await sql`delete from issuer_floats where issuer <> all(${slugs}::text[])`.execute(db);
  const fresh = new Set(
    (await findFloats(db))
      .filter(({ readAt }) => now.getTime() - readAt.getTime() < FLOAT_READ_MS)
      .map(({ issuer }) => issuer),
  );
  const unread: UnreadFloat[] = [];
  for (const issuer of issuers.values()) {
    if (fresh.has(issuer.slug)) continue;
    try {
      await noteFloat(db, { issuer: issuer.slug, pence: await issuer.float(), now });
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) throw error;
      unread.push({ issuer: issuer.slug, error });
    }
  }
  return unread;
}

/** Stores what an issuer has said, and since when it has been below the threshold. An older answer changes nothing. */
async function noteFloat(db: Db, { issuer, pence, now }: { issuer: string; pence: Pence; now: Date }): Promise<void> {
  const isLow = sql<boolean>`${pence}::bigint < ${thresholdSql("float-pounds")}::bigint * 100`;
  await sql`
    insert into issuer_floats (issuer, float_pence, read_at, low_since)
    values (${issuer}, ${pence}, ${now}, case when ${isLow} then ${now}::timestamptz end)
    on conflict (issuer) do update set float_pence = excluded.float_pence, read_at = excluded.read_at,
      low_since = case when excluded.low_since is not null then coalesce(issuer_floats.low_since, excluded.low_since) end
    where issuer_floats.read_at < excluded.read_at`.execute(db);
}
