import { join } from "node:path";
import { openDatabase, type OpenedDatabase } from "@farthing/db/client.ts";
import { startEmbedded } from "@farthing/db/embedded.ts";
import { migrate } from "@farthing/db/migrate.ts";
import type { Config } from "./env.ts";
import type { Closing } from "./shutdown.ts";

/** Starts the embedded PostgreSQL or connects to DATABASE_URL, brings it up to date and opens the pool (product.md P2). */
export async function openServerDatabase(
  config: Pick<Config, "dataDir" | "databaseUrl" | "databasePoolSize">,
  tell: (line: string) => void,
  closing: Closing[],
): Promise<OpenedDatabase> {
  const url = config.databaseUrl ?? (await startOwn(config.dataDir, tell, closing));
  const applied = await migrate(url);
  if (applied.length > 0) tell(`The database is up to date: ${applied.length} migrations applied`);
  const database = openDatabase({ url, max: config.databasePoolSize });
  closing.push({ name: "database pool", close: () => database.close() });
  return database;
}

async function startOwn(dataDir: string, tell: (line: string) => void, closing: Closing[]): Promise<string> {
  const embedded = await startEmbedded({ folder: join(dataDir, "postgres"), log: tell });
  closing.push({ name: "embedded database", close: () => embedded.stop() });
  if (embedded.takenOver) tell("Took over the database that a stopped process left running");
  return embedded.url;
}
