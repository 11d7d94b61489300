import { randomBytes } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { bestRate, rateValue } from "../catalogue/rates.ts";
import { retailerTiersJson, toRates, type TiersJson } from "../catalogue/retailer-cards.server.ts";

/** Remembers the rate as it is now and tells the member when it rises (product.md D10). Asking twice changes nothing. False where the brand does not have the retailer. */
export async function askForAlert(
  db: Db,
  { brandId, memberId, slug, now }: { brandId: string; memberId: string; slug: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ id: string; tiers: TiersJson }>`
    select r.id, ${retailerTiersJson(now)} as tiers
    from retailers r join brand_retailers br on br.retailer_id = r.id and br.brand_id = ${brandId} where r.slug = ${slug}`.execute(
    db,
  );
  const retailer = rows[0];
  if (!retailer) return false;
  const rate = bestRate(toRates(retailer.tiers, now));
  const value = rate ? rateValue(rate) : 0;
  await db
    .insertInto("rate_alerts")
    .values({
      id: newId(),
      token: randomBytes(18).toString("base64url"),
      member_id: memberId,
      retailer_id: retailer.id,
      rate_kind: rate?.kind ?? "percent",
      asked_value: value,
      known_value: value,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(["member_id", "retailer_id"]).doNothing())
    .execute();
  return true;
}

export async function endAlert(db: Db, { memberId, slug }: { memberId: string; slug: string }): Promise<void> {
  await sql`delete from rate_alerts where member_id = ${memberId} and retailer_id = (select id from retailers where slug = ${slug})`.execute(
    db,
  );
}

/** For the link in the mail, which works without logging in. Gives the retailer's name, or null where there is no such alert in this brand (any more). */
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
