import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { makeApiKey } from "./api-key.ts";
import { HOUSE_PARTNER } from "./house-partner.ts";
import { withdrawOrigin } from "./operations.server.ts";
import { signToken, TOKEN_LIFETIME_MS, type TokenClaims } from "./token.ts";

/**
 * Makes the house partner, or updates its origins to those of the brands. Safe to run in several processes at once.
 * `originOf` returns the origin of a brand's host in this deployment.
 */
export async function keepHousePartner(db: Db, { originOf }: { originOf(host: string): string }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto("partners")
      .values({ id: newId(), public_id: HOUSE_PARTNER.publicId, name: HOUSE_PARTNER.name, is_house: true })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Locked, so that processes that start together make one key.
    const { id } = await trx
      .selectFrom("partners")
      .select("id")
      .where("is_house", "=", true)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const key = await trx
      .selectFrom("partner_api_keys")
      .select("id")
      .where("partner_id", "=", id)
      .where("revoked_at", "is", null)
      .executeTakeFirst();
    if (!key) {
      // Tokens refer to a key. This one's text is known to nobody: the server mints in process.
      const { prefix, hash, mode } = makeApiKey("live");
      await trx
        .insertInto("partner_api_keys")
        .values({ id: newId(), partner_id: id, prefix, key_hash: hash, mode })
        .execute();
    }
    await keepOrigins(trx, { id, originOf });
  });
}

/**
 * Allows the origin of every brand's host, and withdraws those of hosts that no brand has any more. Other ports of a
 * brand's host stay: in development another process may serve them.
 */
async function keepOrigins(trx: Trx, { id, originOf }: { id: string; originOf(host: string): string }): Promise<void> {
  const rows = await trx.selectFrom("brand_hosts").select("host").execute();
  const hosts = new Set(rows.map(({ host }) => host));
  const known = await trx.selectFrom("partner_origins").select("origin").where("partner_id", "=", id).execute();
  for (const { origin } of known)
    if (!hosts.has(new URL(origin).hostname)) await withdrawOrigin(trx, { partnerId: id, origin });
  for (const host of hosts) {
    const origin = originOf(host);
    if (!WRITABLE.test(origin)) continue;
    await trx
      .insertInto("partner_origins")
      .values({ partner_id: id, origin })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/**
 * What may be written into frame-ancestors. A brand's host with other characters is left out, and the others work. Other
 * than a partner's, the club's own origin may be http on any host: that is how the deployment is reached.
 */
const WRITABLE = /^https?:\/\/[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:[0-9]{1,5})?$/;

export interface HouseMint {
  /** The origin of the brand's page. */
  origin: string;
  /** The id of the login (member_sessions) that the request came with; null: a visitor. */
  memberSessionId: string | null;
  /** Key that signs the token. */
  signingKey: string;
  now: Date;
}

/**
 * Mints a token for one load of the portal on the club's own page: signed, valid for a minute, for the page's origin.
 * Returns null if the house partner does not have the origin, or is suspended. The caller limits how often a visitor
 * may ask; all visitors share one partner, so its limit per minute does not apply.
 */
export async function mintHouseToken(
  db: Db,
  { origin, memberSessionId, signingKey, now }: HouseMint,
): Promise<string | null> {
  const id = newId();
  const expiresAt = new Date(now.getTime() + TOKEN_LIFETIME_MS);
  const { rows } = await sql<{ partnerId: string }>`
    insert into partner_tokens (id, partner_id, api_key_id, origin, mode, minted_at, expires_at, member_session_id)
    select ${id}, p.id, k.id, o.origin, k.mode, ${now}, ${expiresAt}, ${memberSessionId}::uuid
    from partners p
      join partner_api_keys k on k.partner_id = p.id and k.revoked_at is null
      join partner_origins o on o.partner_id = p.id and o.origin = ${origin}
    where p.is_house and p.suspended_at is null
    order by k.created_at limit 1
    returning partner_id as "partnerId"`.execute(db);
  if (!rows[0]) return null;
  const claims: TokenClaims = { id, partnerId: rows[0].partnerId, origin, expiresAt };
  return signToken(signingKey, claims);
}
