import { randomBytes } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { describeApiKey, makeApiKey, type NewApiKey } from "./api-key.ts";
import { partnerOriginSchema } from "./schema.ts";

export interface NewPartner {
  name: string;
  /** The origins of the partner's pages; each is validated (W10). */
  origins: readonly string[];
  successTemplate?: { url: string; idPlaceholder: string } | null;
  /** Random by default (96 bits). */
  publicId?: string;
  mintsPerMinute?: number;
}

/** Adds a partner and returns its ids. @throws ZodError for an invalid origin */
export async function createPartner(db: Db, partner: NewPartner): Promise<{ id: string; publicId: string }> {
  const { name, origins, successTemplate, mintsPerMinute, publicId = randomBytes(12).toString("base64url") } = partner;
  const id = newId();
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto("partners")
      .values({
        id,
        public_id: publicId,
        name,
        success_template_url: successTemplate?.url ?? null,
        id_placeholder: successTemplate?.idPlaceholder ?? null,
        ...(mintsPerMinute === undefined ? {} : { mints_per_minute: mintsPerMinute }),
      })
      .execute();
    for (const origin of origins) await allowOrigin(trx, { partnerId: id, origin });
  });
  return { id, publicId };
}

/**
 * Allows pages of another origin to hold the partner's frame; an allowed one stays allowed. @throws ZodError for an
 * invalid origin
 */
export async function allowOrigin(db: Db, { partnerId, origin }: { partnerId: string; origin: string }): Promise<void> {
  await db
    .insertInto("partner_origins")
    .values({ partner_id: partnerId, origin: partnerOriginSchema.parse(origin) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Removes an origin, together with its tokens and open frames. */
export async function withdrawOrigin(
  db: Db,
  { partnerId, origin }: { partnerId: string; origin: string },
): Promise<void> {
  await db.deleteFrom("partner_origins").where("partner_id", "=", partnerId).where("origin", "=", origin).execute();
}

/** Maximum number of a partner's keys in use: the present one and its successor (docs/partners-api.md). */
export const MAX_API_KEYS = 2;

/** Thrown where a partner has as many keys as it can have: one must be revoked first. */
export class TooManyApiKeysError extends Error {}

/**
 * Creates a key for a partner and returns it, to be shown once; development passes a fixed `key`. @throws
 * TooManyApiKeysError if two are in use
 */
export async function addApiKey(db: Db, { partnerId, key }: { partnerId: string; key?: string }): Promise<NewApiKey> {
  const added = key === undefined ? makeApiKey() : describeApiKey(key);
  await db.transaction().execute(async (trx) => {
    // Keys that are added at the same time are counted one after the other.
    await trx.selectFrom("partners").select("id").where("id", "=", partnerId).forUpdate().execute();
    const inUse = await trx
      .selectFrom("partner_api_keys")
      .select("prefix")
      .where("partner_id", "=", partnerId)
      .where("revoked_at", "is", null)
      .execute();
    if (inUse.length >= MAX_API_KEYS) throw new TooManyApiKeysError();
    await trx
      .insertInto("partner_api_keys")
      .values({ id: newId(), partner_id: partnerId, prefix: added.prefix, key_hash: added.hash })
      .execute();
  });
  return added;
}

/** Revokes a key at once: it mints no more tokens, and its tokens open nothing. Returns whether there was one. */
export async function revokeApiKey(db: Db, { prefix, now }: { prefix: string; now: Date }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("partner_api_keys")
    .set({ revoked_at: now })
    .where("prefix", "=", prefix)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Suspends a partner: keys, tokens and open frames stop working. */
export async function suspendPartner(db: Db, { partnerId, now }: { partnerId: string; now: Date }): Promise<void> {
  await db.updateTable("partners").set({ suspended_at: now }).where("id", "=", partnerId).execute();
}

/** Restores a suspended partner with its keys and origins. */
export async function resumePartner(db: Db, { partnerId }: { partnerId: string }): Promise<void> {
  await db.updateTable("partners").set({ suspended_at: null }).where("id", "=", partnerId).execute();
}
