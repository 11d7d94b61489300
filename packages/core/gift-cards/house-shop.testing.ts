import { randomBytes } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { keepHousePartner } from "../partners/house-partner.server.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { carryBasket } from "./basket.server.ts";
import type { CardIssuer } from "./issuer.ts";
import { syncCatalogue } from "./sync-catalogue.server.ts";

/** Opens the club's own gift-card shop, with an issuer's cards. */
export async function openHouseShop(
  db: Db,
  { issuer, now }: { issuer: CardIssuer; now: Date },
): Promise<{ brandId: string; partnerId: string }> {
  const { id: brandId } = await insertBrand(db);
  await keepHousePartner(db, { originOf: (host) => `https://${host}` });
  const { id: partnerId } = await db
    .selectFrom("partners")
    .select("id")
    .where("is_house", "=", true)
    .executeTakeFirstOrThrow();
  await syncCatalogue(db, issuer, { now });
  return { brandId, partnerId };
}

/** Opens the shop's page: a visit of an hour, with what the login's visit before left in the basket. A null login: a visitor. */
export async function visitShop(
  db: Db,
  { partnerId, login, now }: { partnerId: string; login: { memberId: string; sessionId: string } | null; now: Date },
): Promise<string> {
  const id = newId();
  await db
    .insertInto("widget_sessions")
    .values({
      ...{ id, partner_id: partnerId, origin: "https://club.example", bearer_hash: randomBytes(32) },
      ...{ opened_at: now, expires_at: new Date(now.getTime() + 3_600_000) },
      ...{ member_id: login?.memberId ?? null, member_session_id: login?.sessionId ?? null },
    })
    .execute();
  await carryBasket(db, { sessionId: id });
  return id;
}
