import { commandLine } from "../command-line.ts";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { Config } from "../env.ts";
import { StartError } from "../process/start-error.ts";
import { keyFingerprint } from "./key-fingerprint.ts";

type Secrets = Pick<Config, "secret" | "oldSecrets">;

/**
 * Records the fingerprint of FARTHING_SECRET, unless the database was used with others only (S1).
 * @throws StartError with what to do where it was
 */
export async function recordSecret(db: Db, secrets: Secrets): Promise<void> {
  const fault = await findSecretFault(db, secrets);
  if (fault !== null) throw new StartError(fault);
  await adoptSecret(db, secrets);
}

/** Returns a sentence where a database was used with other secrets only; it may be empty, without tables. */
export async function findSecretFault(db: Db, { secret, oldSecrets }: Secrets): Promise<string | null> {
  const { rows: found } = await sql<{ is: boolean }>`select to_regclass('database_secrets') is not null as is`.execute(
    db,
  );
  if (!found[0]?.is) return null;
  const rows = await db.selectFrom("database_secrets").select("fingerprint").orderBy("first_used_at", "desc").execute();
  const ours = [secret, ...oldSecrets].map(keyFingerprint);
  if (rows.length === 0 || rows.some(({ fingerprint }) => ours.includes(fingerprint))) return null;
  return (
    `The database was used with another FARTHING_SECRET: its fingerprint is ${rows[0]!.fingerprint}, and that of the one which is set is ${ours[0]}. ` +
    "With this one, bank details, second factors and gift cards can't be read. Set the earlier one; to change it, docs/operations/secrets.md says how. " +
    `If it is lost for good, ${commandLine("secrets adopt")} goes on without it.`
  );
}

/** Records FARTHING_SECRET as one of this database, whatever it was used with before. Returns its fingerprint. */
export async function adoptSecret(db: Db, { secret }: Pick<Config, "secret">): Promise<string> {
  const fingerprint = keyFingerprint(secret);
  await db
    .insertInto("database_secrets")
    .values({ fingerprint })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return fingerprint;
}
