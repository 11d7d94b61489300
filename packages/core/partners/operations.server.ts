import { randomBytes } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { describeApiKey, makeApiKey, type NewApiKey } from "./api-key.ts";
import type { PartnerMode } from "./mode.ts";
import { partnerOriginSchema } from "./schema.ts";

export interface NewPartner {
  name: string;
  /** The origins of the partner's pages; each is validated (W10). */
  origins: readonly string[];
  /** Random by default (96 bits). */
  publicId?: string;
  mintsPerMinute?: number;
}

/** Adds a partner and returns its ids. @throws ZodError for an invalid origin */
export async function createPartner(db: Db, partner: NewPartner): Promise<{ id: string; publicId: string }> {
  const { name, origins, mintsPerMinute, publicId = randomBytes(12).toString("base64url") } = partner;
  const id = newId();
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto("partners")
      .values({
        id,
        public_id: publicId,
        name,
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

/** Maximum number of a partner's keys of one mode in use: the present one and its successor (docs/partners-api.md). */
export const MAX_API_KEYS = 2;

/** Thrown where a key is wanted for the house partner: its tokens are minted by the server itself (decision 041). */
export class NoKeysOfHouseError extends Error {}

/** Thrown where a partner has as many keys of a mode as it can have: one must be revoked first. */
export class TooManyApiKeysError extends Error {}

/**
 * Creates a key for a partner and returns it, to be shown once; development passes a fixed `key`, whose text has the
 * mode. Keys take real payments unless `mode` is "test".
 * @throws TooManyApiKeysError if two of that mode are in use; NoKeysOfHouseError for the house partner
 */
export async function addApiKey(
  db: Db,
  { partnerId, key, mode = "live" }: { partnerId: string; key?: string; mode?: PartnerMode },
): Promise<NewApiKey> {
  const added = key === undefined ? makeApiKey(mode) : describeApiKey(key);
  await db.transaction().execute(async (trx) => {
    // Keys that are added at the same time are counted one after the other.
    const partner = await trx
      .selectFrom("partners")
      .select("is_house")
      .where("id", "=", partnerId)
      .forUpdate()
      .executeTakeFirst();
    if (partner?.is_house) throw new NoKeysOfHouseError();
    const inUse = await trx
      .selectFrom("partner_api_keys")
      .select("prefix")
      .where("partner_id", "=", partnerId)
      .where("mode", "=", added.mode)
      .where("revoked_at", "is", null)
      .execute();
    if (inUse.length >= MAX_API_KEYS) throw new TooManyApiKeysError();
    await trx
      .insertInto("partner_api_keys")
      .values({ id: newId(), partner_id: partnerId, prefix: added.prefix, key_hash: added.hash, mode: added.mode })
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

export interface ChangedPartner {
  partnerId: string;
  name: string;
  /** How many tokens its server can mint in a minute, and how many other requests it can make. */
  mintsPerMinute: number;
  /** What the form was opened with (`seenPartner`); absent: whatever is stored is changed. */
  seen?: string;
}

type PartnerSettings = Pick<ChangedPartner, "name" | "mintsPerMinute">;

export type PartnerChange =
  | { outcome: "changed" | "unchanged" }
  /** Somebody saved meanwhile: what is stored now. */
  | { outcome: "stale"; stored: PartnerSettings; seen: string };

/** Returns what of a partner its form shows, as text: a save against another one comes too late. */
export function seenPartner({ name, mintsPerMinute }: PartnerSettings): string {
  return JSON.stringify([name, mintsPerMinute]);
}

/** Changes what a partner is called and how much it can ask for, if it is still what the form showed. */
export async function changePartner(
  db: Db,
  { partnerId, name, mintsPerMinute, seen }: ChangedPartner,
): Promise<PartnerChange> {
  return db.transaction().execute(async (trx): Promise<PartnerChange> => {
    const stored = await trx
      .selectFrom("partners")
      .select(["name", "mints_per_minute as mintsPerMinute"])
      .where("id", "=", partnerId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const current = seenPartner(stored);
    if (seen !== undefined && seen !== current) return { outcome: "stale", stored, seen: current };
    if (seenPartner({ name, mintsPerMinute }) === current) return { outcome: "unchanged" };
    await trx
      .updateTable("partners")
      .set({ name, mints_per_minute: mintsPerMinute })
      .where("id", "=", partnerId)
      .execute();
    return { outcome: "changed" };
  });
}

/** Suspends a partner: keys, tokens and open frames stop working, and events wait. */
export async function suspendPartner(db: Db, { partnerId, now }: { partnerId: string; now: Date }): Promise<void> {
  await db.updateTable("partners").set({ suspended_at: now }).where("id", "=", partnerId).execute();
}

/** Restores a suspended partner with its keys and origins. The events that waited are due from now on. */
export async function resumePartner(db: Db, { partnerId, now }: { partnerId: string; now: Date }): Promise<void> {
  await sql`
    with resumed as (
      update partners set suspended_at = null where id = ${partnerId} returning id
    )
    update partner_webhook_deliveries delivery set next_try_at = ${now}
    from resumed join partner_webhooks webhook on webhook.partner_id = resumed.id
    where delivery.webhook_id = webhook.id and delivery.next_try_at < ${now}`.execute(db);
}
