import { addApiKey, allowOrigin, createPartner } from "@farthing/core/partners/operations.server.ts";
import type { Db } from "@farthing/db/client.ts";

/**
 * The demo partner's API key. It is public, because the partner exists in development only (W10, Z1).
 */
export const DEVELOPMENT_PARTNER_KEY = "fpk_demoshop_development-only-key-do-not-use-elsewhere00";

const publicId = "demo-partner";

/**
 * Creates the demo partner, whose pages are at PORT+2 of this machine. An existing partner is kept; a start on another
 * port adds that port's origins. Returns whether the partner was created.
 */
export async function seedPartners(db: Db, { port }: { port: number }): Promise<boolean> {
  const origins = ["localhost", "127.0.0.1"].map((host) => `http://${host}:${port + 2}`);
  const found = await db.selectFrom("partners").select("id").where("public_id", "=", publicId).executeTakeFirst();
  const { id } = found ?? (await createPartner(db, { name: "Larder Lane", publicId, origins, mintsPerMinute: 6000 }));
  for (const origin of origins) await allowOrigin(db, { partnerId: id, origin });
  const key = await db.selectFrom("partner_api_keys").select("id").where("partner_id", "=", id).executeTakeFirst();
  if (!key) await addApiKey(db, { partnerId: id, key: DEVELOPMENT_PARTNER_KEY });
  return !found;
}
