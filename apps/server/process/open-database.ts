import { join } from "node:path";
import { openDatabase, type OpenedDatabase } from "@farthing/db/client.ts";
import { startEmbedded, UnreachableServerError } from "@farthing/db/embedded.ts";
import { migrate, ReplacedMigrationsError } from "@farthing/db/migrate.ts";
import type pg from "pg";
import type { Config } from "../env.ts";
import type { Closing } from "./shutdown.ts";
import { StartError } from "./start-error.ts";

/** The database of a process. */
export interface ServerDatabase extends OpenedDatabase {
  /** Connections that listen for notifications, beside those of the pool: each is kept for as long as the process lives. No pooler stands before them. */
  sessionPool: pg.Pool;
  /** The connection string. */
  url: string;
  /** The embedded server's data; null: DATABASE_URL names a server. */
  dataFolder: string | null;
}

/** Connections that listen, for as long as the process lives: one per channel and role. The web role has one, the worker three. */
export const MAX_LISTENERS = 4;

/**
 * Starts the embedded PostgreSQL or connects to DATABASE_URL, applies migrations and opens the pool (P2). From then
 * on the embedded server is restarted if it dies; `onLost` is called once, when restarting does not help.
 * @throws StartError if the database can't be reached or its migrations don't fit.
 */
export async function openServerDatabase(
  config: Pick<Config, "dataDir" | "databaseUrl" | "databaseDirectUrl" | "databasePoolSize" | "backupDir">,
  tell: (line: string) => void,
  closing: Closing[],
  onLost: (reason: string) => void = tell,
): Promise<ServerDatabase> {
  const own = config.databaseUrl === null ? await startOwn(config, tell, closing, onLost) : null;
  const url = own?.url ?? config.databaseUrl ?? "";
  const directUrl = config.databaseDirectUrl;
  const { applied, functions, newer } = await migrate(directUrl ?? url, undefined, { tell }).catch((error: unknown) => {
    if (own && error instanceof ReplacedMigrationsError)
      throw new StartError(`${error.message} Delete its folder, ${own.folder}, and start again.`, { cause: error });
    throw new StartError(databaseFault(error, config), { cause: error });
  });
  if (applied.length + functions.length > 0)
    tell(
      `The database is up to date: ${applied.length} migrations applied, ${functions.length} functions new or changed`,
    );
  if (newer.length > 0)
    tell(
      `A newer version has migrated this database (${newer.join(", ")}). This version runs on it as well: finish the upgrade.`,
    );
  // One connection stays open, so that a command that runs beside it sees that the embedded server is in use.
  const database = openDatabase({ url, max: config.databasePoolSize, min: own ? 1 : 0 });
  closing.push({ name: "database pool", close: () => database.close() });
  own?.isUp();
  const dataFolder = own?.folder ?? null;
  // Not of the pool: its last connection would be kept by a listener, and no query would get one.
  const listeners = openDatabase({ url: directUrl ?? url, max: MAX_LISTENERS });
  closing.push({ name: "listening connections", close: () => listeners.close() });
  return { ...database, url, dataFolder, sessionPool: listeners.pool };
}

/** `isUp` marks that the migrations are done and that others may use the server from now on. */
async function startOwn(
  { dataDir, backupDir }: Pick<Config, "dataDir" | "backupDir">,
  tell: (line: string) => void,
  closing: Closing[],
  onLost: (reason: string) => void,
): Promise<{ url: string; folder: string; isUp(): void }> {
  let isStarting = true;
  const starting = startEmbedded({ folder: join(dataDir, "postgres"), backupDir, log: tell });
  // Registered before it is up: a process stopped during the start must not leave the server running with its own
  // migrations as client.
  closing.push({
    name: "embedded database",
    close: async () => {
      const server = await starting.catch(() => null);
      await server?.stop({ evenIfUsed: isStarting && !server.isTakenOver });
    },
  });
  const embedded = await starting.catch((error: unknown) => {
    throw error instanceof UnreachableServerError ? new StartError(error.message, { cause: error }) : error;
  });
  if (embedded.isShared) tell("Using the database that a running Farthing has open");
  else if (embedded.isTakenOver) tell("Took over the database that a stopped process left running");
  return {
    url: embedded.url,
    folder: embedded.folder,
    isUp() {
      isStarting = false;
      embedded.watch({ onGivenUp: onLost });
    },
  };
}

/** Returns what is wrong and what to do, with the address but without its password. */
export function databaseFault(
  error: unknown,
  { databaseUrl, databaseDirectUrl }: Pick<Config, "databaseUrl" | "databaseDirectUrl">,
): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (databaseUrl === null) return `The embedded database could not be brought up to date. ${message}`;
  const setting = databaseDirectUrl === null ? "DATABASE_URL" : "DATABASE_DIRECT_URL";
  const { host, pathname } = new URL(databaseDirectUrl ?? databaseUrl);
  const place = `the database ${pathname.slice(1)} at ${host}`;
  if (error instanceof ReplacedMigrationsError)
    return `Farthing cannot use ${place}. ${message} Give ${setting} an empty database.`;
  // A refused connection to a name with two addresses is an AggregateError without a message.
  const known: Record<string, string> = {
    ECONNREFUSED: `Nothing listens there. Start the server, or correct ${setting}.`,
    ENOTFOUND: `There is no such host. Correct ${setting}.`,
    ETIMEDOUT: `It does not answer. Check the network between, or correct ${setting}.`,
    "28P01": `It does not accept the user and password of ${setting}.`,
    "3D000": `The server has no such database. Create it, or correct ${setting}.`,
  };
  return `Farthing cannot use ${place}. ${known[code ?? ""] ?? message}`;
}
