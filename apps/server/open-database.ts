import { join } from "node:path";
import { openDatabase, type OpenedDatabase } from "@farthing/db/client.ts";
import { startEmbedded, type EmbeddedServer } from "@farthing/db/embedded.ts";
import { migrate } from "@farthing/db/migrate.ts";
import type { Config } from "./env.ts";

export interface ServerDatabase extends OpenedDatabase {
  url: string;
  /** The PostgreSQL this process started or took over, or null where DATABASE_URL points at another. */
  embedded: EmbeddedServer | null;
}

/** Starts the embedded PostgreSQL or connects to DATABASE_URL, brings it up to date and opens the pool (product.md P2). */
export async function openServerDatabase(config: Pick<Config, "dataDir" | "databaseUrl" | "databasePoolSize">, tell: (line: string) => void): Promise<ServerDatabase> {
  const embedded = config.databaseUrl === null ? await startEmbedded({ folder: join(config.dataDir, "postgres"), log: tell }) : null;
  if (embedded?.takenOver) tell("Took over the database a stopped process left running");
  const url = embedded?.url ?? config.databaseUrl ?? "";
  const applied = await migrate(url);
  if (applied.length > 0) tell(`Database is up to date, ${applied.length} migrations applied`);
  return { ...openDatabase({ url, max: config.databasePoolSize }), url, embedded };
}
