import { hash } from "node:crypto";
import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { openSecret, sealSecret, type SecretKeys } from "./sealed-secret.ts";

/**
 * Recovery codes are stored as keyed hashes, which nobody can compute again without the codes. So a rotation keeps the earlier
 * keys themselves, encrypted with the current one, until no unused code is older than that.
 */
export type KeptPurpose = "member-secrets" | "operator-secrets";

const CODES = { "member-secrets": "member_recovery_codes", "operator-secrets": "operator_recovery_codes" } as const;

/** Keeps the earlier keys of a purpose where unused recovery codes may need them. Returns how many codes these are. */
export async function keepEarlierKeys(
  db: Db,
  { purpose, keys, now }: { purpose: KeptPurpose; keys: SecretKeys; now: Date },
): Promise<number> {
  const [current, ...earlier] = keys;
  return await db.transaction().execute(async (trx) => {
    for (const key of earlier)
      await trx
        .insertInto("kept_keys")
        .values({ purpose, key_id: keyIdOf(key), sealed: sealKept(key, keys), kept_at: now })
        .onConflict((conflict) => conflict.columns(["purpose", "key_id"]).doUpdateSet({ kept_at: now }))
        .execute();
    // A key is its own earlier key after two rotations back and forth.
    await trx.deleteFrom("kept_keys").where("purpose", "=", purpose).where("key_id", "=", keyIdOf(current)).execute();
    await sql`
      delete from kept_keys kept where purpose = ${purpose} and not exists (
        select from ${sql.table(CODES[purpose])} code where used_at is null and code.created_at <= kept.kept_at)`.execute(
      trx,
    );
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(CODES[purpose])} code
      where used_at is null and code.created_at <= (select max(kept_at) from kept_keys where purpose = ${purpose})`.execute(
      trx,
    );
    return rows[0]?.count ?? 0;
  });
}

/** Returns the earlier keys that are kept for a purpose. One that can't be decrypted is left out. */
export async function findKeptKeys(
  db: Db | Trx,
  { purpose, keys }: { purpose: KeptPurpose; keys: SecretKeys },
): Promise<string[]> {
  const rows = await db.selectFrom("kept_keys").select(["key_id", "sealed"]).where("purpose", "=", purpose).execute();
  return rows.flatMap(({ key_id: keyId, sealed }) => {
    try {
      return [openSecret(sealed, { memberId: keyId, keys })];
    } catch {
      return []; // the status of the secrets names it
    }
  });
}

function sealKept(key: string, keys: SecretKeys): string {
  return sealSecret(key, { memberId: keyIdOf(key), keys });
}

/** The key is random, so its hash tells nothing of it. */
function keyIdOf(key: string): string {
  return hash("sha256", `kept key id\n${key}`, "hex").slice(0, 16);
}
