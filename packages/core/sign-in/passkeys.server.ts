/**
 * Passkeys (WebAuthn): the rows of a member's passkeys. apps/server/sign-in/passkeys.ts runs the flow and verifies
 * answers with a library; passkey-challenges.server.ts makes each challenge single-use.
 */
import type { Db } from "@farthing/db/client.ts";
import { isUuid, newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { queueMail } from "../mails/operations.server.ts";
import { endAccess } from "../members/end-access.server.ts";
import { lockSignedIn } from "../members/lock-member.server.ts";

export const MAX_PASSKEYS = 10;
export const MAX_PASSKEY_NAME_LENGTH = 60;

interface OfMember {
  brandId: string;
  memberId: string;
}

export interface OwnPasskey {
  id: string;
  name: string;
  since: Date;
  lastUsedAt: Date | null;
}

export async function listPasskeys(db: Db, { brandId, memberId }: OfMember): Promise<OwnPasskey[]> {
  return await db
    .selectFrom("member_passkeys")
    .select(["id", "name", "created_at as since", "last_used_at as lastUsedAt"])
    .where("member_id", "=", memberId)
    .where("brand_id", "=", brandId)
    .orderBy("created_at")
    .execute();
}

/** Returns the credentials of the member's passkeys, which a device must not register again. */
export async function listCredentialIds(
  db: Db,
  { brandId, memberId }: OfMember,
): Promise<{ id: string; transports: string[] }[]> {
  return await db
    .selectFrom("member_passkeys")
    .select(["credential_id as id", "transports"])
    .where("member_id", "=", memberId)
    .where("brand_id", "=", brandId)
    .execute();
}

export interface NewPasskey extends OfMember {
  sessionId: string;
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: string[];
  name: string;
  now: Date;
}

/**
 * Stores a passkey whose registration was verified, and tells its owner. Returns false if the member has
 * `MAX_PASSKEYS`, or if the credential is already registered.
 */
export async function addPasskey(
  db: Db,
  { brandId, memberId, sessionId, now, ...passkey }: NewPasskey,
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const member = await lockSignedIn(trx, { brandId, memberId, sessionId });
    if (!member) return false;
    const { had } = await trx
      .selectFrom("member_passkeys")
      .select(({ fn }) => fn.countAll<number>().as("had"))
      .where("member_id", "=", memberId)
      .executeTakeFirstOrThrow();
    if (Number(had) >= MAX_PASSKEYS) return false;
    const added = await trx
      .insertInto("member_passkeys")
      .values({
        id: newId(),
        brand_id: brandId,
        member_id: memberId,
        credential_id: passkey.credentialId,
        public_key: passkey.publicKey,
        counter: passkey.counter,
        transports: passkey.transports,
        name: passkey.name,
        created_at: now,
      })
      .onConflict((conflict) => conflict.constraint("member_passkeys_credential").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!added) return false;
    const mail = { kind: "passkey-added", name: passkey.name } as const;
    await queueMail(trx, { brandId, memberId, to: member.email, mail, now });
    return true;
  });
}

export interface KnownPasskey {
  id: string;
  memberId: string;
  publicKey: string;
  counter: number;
  transports: string[];
  /** The member's generation when the passkey was found (recovery-rules.ts). */
  deviceGeneration: number;
}

/**
 * Returns the passkey with this credential id in this brand, or null; passkeys of other brands are never found (B4).
 */
export async function findPasskey(
  db: Db,
  { brandId, credentialId }: { brandId: string; credentialId: string },
): Promise<KnownPasskey | null> {
  const row = await db
    .selectFrom("member_passkeys as passkey")
    .innerJoin("members as member", "member.id", "passkey.member_id")
    .select([
      "passkey.id",
      "passkey.member_id as memberId",
      "passkey.public_key as publicKey",
      "passkey.counter",
      "passkey.transports",
      "member.device_generation as deviceGeneration",
    ])
    .where("passkey.brand_id", "=", brandId)
    .where("passkey.credential_id", "=", credentialId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Records a use. Returns false if the counter did not increase, which means that a copy of the passkey is in use
 * (WebAuthn level 3, section 6.1.1).
 */
export async function notePasskeyUse(
  db: Db,
  { id, counter, now }: { id: string; counter: number; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("member_passkeys")
    .set({ counter, last_used_at: now })
    .where("id", "=", id)
    .where(sql<boolean>`(counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Renames a passkey. Returns false if it does not exist or is not the member's, without saying which; so
 * does `removePasskey`.
 */
export async function renamePasskey(
  db: Db,
  { brandId, memberId, passkeyId, name }: OfMember & { passkeyId: string; name: string },
): Promise<boolean> {
  if (!isUuid(passkeyId)) return false;
  const { numUpdatedRows } = await db
    .updateTable("member_passkeys")
    .set({ name })
    .where("id", "=", passkeyId)
    .where("member_id", "=", memberId)
    .where("brand_id", "=", brandId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes a passkey and ends all other sessions of the member: the device with the passkey may be signed in. */
export async function removePasskey(
  db: Db,
  { brandId, memberId, sessionId, passkeyId, now }: OfMember & { sessionId: string; passkeyId: string; now: Date },
): Promise<boolean> {
  if (!isUuid(passkeyId)) return false;
  return await db.transaction().execute(async (trx) => {
    if (!(await lockSignedIn(trx, { brandId, memberId, sessionId }))) return false;
    const { numDeletedRows } = await trx
      .deleteFrom("member_passkeys")
      .where("id", "=", passkeyId)
      .where("member_id", "=", memberId)
      .where("brand_id", "=", brandId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    await endAccess(trx, "remove-passkey", { brandId, memberId, exceptSessionId: sessionId, now });
    return true;
  });
}
