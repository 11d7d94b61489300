import { DEVELOPMENT_ORIGINATOR } from "../env.ts";
import { seedDevelopment } from "../development/seed-development.ts";
import { recordSecret } from "../secrets/database-secret.ts";
import { deriveKey } from "../secrets/derive-key.ts";
import type { ServerParts } from "../server-parts.ts";
import { databaseFitness } from "./database-fitness.ts";
import { openServerDatabase, type ServerDatabase } from "./open-database.ts";

/**
 * Opens the database, checks that it can be worked with, and fills it with demo data in development.
 * @throws StartError if the database can't be reached, migrated or worked with, or was used with another FARTHING_SECRET.
 */
export async function openFitDatabase({
  config,
  logger,
  tell,
  closing,
  onFatal,
}: Pick<ServerParts, "config" | "logger" | "closing"> & {
  tell(line: string): void;
  onFatal(reason: string): void;
}): Promise<ServerDatabase> {
  const database = await openServerDatabase(config, tell, closing, onFatal);
  if (config.databaseUrl === null && config.environment === "production")
    logger.warn(
      "Production runs on the embedded PostgreSQL: version 18.4, from an npm package that calls itself a beta. Set DATABASE_URL to a server of your own (docs/operations/running.md).",
    );
  const { db } = database;
  await recordSecret(db, config);
  await databaseFitness(db); // before the demo data posts to the ledger
  if (config.environment === "dev")
    await seedDevelopment({
      db,
      dataDir: config.dataDir,
      attachmentKey: deriveKey(config.secret, "attachment"),
      operatorKeys: [deriveKey(config.secret, "operator-secrets")],
      bank: { bankKeys: [deriveKey(config.secret, "bank-details")], originator: config.bacs ?? DEVELOPMENT_ORIGINATOR },
      port: config.port,
      tell,
    });
  for (const note of await databaseFitness(db)) logger.warn(note);
  return database;
}
