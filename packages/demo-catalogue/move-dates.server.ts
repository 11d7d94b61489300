import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { demoCatalogue } from "./demo-catalogue.ts";
import type { DemoScale } from "./demo-entry.ts";
import { offerIdAt } from "./network-files.server.ts";

const DAY_MS = 86_400_000;

/** Dates of a demo catalogue that are older than this are moved to today. */
const FRESH_FOR_DAYS = 14;

/**
 * Moves the dates of the demo catalogue's offers and boosts by whole days, so that an old development database still shows current offers. `made` is the scale
 * that the catalogue was written with; how far the dates were moved before is read from the database, so a second call moves nothing. Offers and boosts whose
 * dates were edited stay as they are, and only dates are written. Returns the number of rows moved.
 */
export async function moveDemoDates(db: Db, { made, now }: { made: DemoScale; now: Date }): Promise<number> {
  if (now.getTime() - made.now.getTime() < FRESH_FOR_DAYS * DAY_MS) return 0;
  const written = writtenDates(made);
  return db.transaction().execute(async (trx) => {
    const offers = sql`(select o.id, w.starts_at as written_start, w.ends_at as written_end, o.starts_at, o.ends_at
      from jsonb_to_recordset(${JSON.stringify(written.offers)}::jsonb) as w (network text, id text, starts_at timestamptz, ends_at timestamptz)
      join networks n on n.slug = w.network join offers o on o.network_offer_id = w.id and o.network_id = n.id)`;
    const boosts = sql`(select b.id, w.starts_at as written_start, w.ends_at as written_end, b.starts_at, b.ends_at
      from jsonb_to_recordset(${JSON.stringify(written.boosts)}::jsonb) as w (network text, group_id text, starts_at timestamptz, ends_at timestamptz)
      join networks n on n.slug = w.network join rate_tiers t on t.network_group_id = w.group_id and 'boosts' <> all(t.kept)
      join programmes p on p.id = t.programme_id and p.network_id = n.id
      join boosts b on b.rate_tier_id = t.id)`;
    // Most rows were moved by the same time; the others were edited.
    const { rows } = await sql<{ moved: number | null }>`
      select mode() within group (order by extract(epoch from o.starts_at - o.written_start))::float8 as moved from ${offers} o`.execute(
      trx,
    );
    const moved = (rows[0]?.moved ?? 0) * 1000;
    const days = Math.floor((now.getTime() - made.now.getTime() - moved) / DAY_MS);
    if (days < FRESH_FOR_DAYS) return 0;
    // Seconds, not days: a day in the session's time zone may have 23 hours.
    const since = sql`make_interval(secs => ${moved / 1000}::float8)`;
    const by = sql`make_interval(secs => ${(days * DAY_MS) / 1000}::float8)`;
    const isUntouched = sql`d.starts_at = d.written_start + ${since} and d.ends_at is not distinct from d.written_end + ${since}`;
    const offersMoved = await sql`
      update offers o set starts_at = o.starts_at + ${by}, ends_at = o.ends_at + ${by}, updated_at = ${now}
      from ${offers} d where d.id = o.id and ${isUntouched}`.execute(trx);
    const boostsMoved = await sql`
      update boosts b set starts_at = b.starts_at + ${by}, ends_at = b.ends_at + ${by}
      from ${boosts} d where d.id = b.id and ${isUntouched}`.execute(trx);
    return Number((offersMoved.numAffectedRows ?? 0n) + (boostsMoved.numAffectedRows ?? 0n));
  });
}

function writtenDates(made: DemoScale) {
  const entries = [...demoCatalogue(made)];
  return {
    offers: entries.flatMap(({ network, promotions }) =>
      promotions.map(({ promotionId, startDate, endDate }) => ({
        network,
        id: offerIdAt(network, promotionId),
        starts_at: startDate,
        ends_at: endDate,
      })),
    ),
    boosts: entries.flatMap(({ network, editorial }) =>
      (editorial.boosts ?? []).map(({ groupId, startsAt, endsAt }) => ({
        network,
        group_id: groupId,
        starts_at: startsAt,
        ends_at: endsAt,
      })),
    ),
  };
}
