import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { retailerAt } from "../catalogue/retailers/retailer-at.server.ts";
import { bestRate, rateValue } from "../catalogue/rates.ts";
import { retailerTiersJson, toRates, type TiersJson } from "../catalogue/retailers/retailer-cards.server.ts";
import { newSecretToken } from "../secrets/secret-token.ts";

/** Maximum number of alerts of a member. */
const MAX_ALERTS = 200;

/**
 * Adds an alert: the member is told when the retailer's rate rises above the present one (D10). Adding it again
 * changes nothing. `full`: the member has `MAX_ALERTS`, or has left.
 */
export async function askForAlert(
  db: Db,
  { brandId, memberId, slug, now }: { brandId: string; memberId: string; slug: string; now: Date },
): Promise<"added" | "full" | "unknown"> {
  const { rows } = await sql<{ id: string; tiers: TiersJson }>`
    select r.id, ${retailerTiersJson(now)} as tiers
    from retailers r join brand_retailers br on br.retailer_id = r.id and br.brand_id = ${brandId} where r.id = ${retailerAt(slug)}`.execute(
    db,
  );
  const retailer = rows[0];
  if (!retailer) return "unknown";
  const rate = bestRate(toRates(retailer.tiers, now));
  const value = rate ? rateValue(rate) : 0;
  const { numAffectedRows } = await sql`
    insert into rate_alerts (id, token, member_id, retailer_id, rate_kind, asked_value, known_value, created_at)
    select ${newId()}, ${newSecretToken(144)}, m.id, ${retailer.id}, ${rate?.kind ?? "percent"}, ${value}, ${value}, ${now}
    from members m where m.id = ${memberId} and m.closed_at is null
      and ((select count(*) from rate_alerts a where a.member_id = m.id) < ${MAX_ALERTS}
        or exists (select from rate_alerts a where a.member_id = m.id and a.retailer_id = ${retailer.id}::uuid))
    for key share of m
    on conflict (member_id, retailer_id) do update set created_at = rate_alerts.created_at`.execute(db);
  return numAffectedRows === 0n ? "full" : "added";
}

export async function endAlert(db: Db, { memberId, slug }: { memberId: string; slug: string }): Promise<void> {
  await sql`delete from rate_alerts where member_id = ${memberId} and retailer_id = ${retailerAt(slug)}`.execute(db);
}

/**
 * Ends an alert by the link in a mail, without signing in. Returns the retailer's name, or null if this brand has no
 * such alert (any more).
 */
export async function endAlertByToken(
  db: Db,
  { brandId, token }: { brandId: string; token: string },
): Promise<{ retailerName: string } | null> {
  const { rows } = await sql<{ retailerName: string }>`
    delete from rate_alerts a using members m, retailers r
    where a.token = ${token} and m.id = a.member_id and m.brand_id = ${brandId} and r.id = a.retailer_id
    returning r.name as "retailerName"`.execute(db);
  return rows[0] ?? null;
}
