import { join } from "node:path";
import { openDatabase, type OpenedDatabase } from "@farthing/db/client.ts";
import { findRunningServer, UnreachableServerError } from "@farthing/db/embedded.ts";
import { sql } from "kysely";
import { ConfigurationError, readConfig, type Config } from "../env.ts";
import { within } from "../monitoring/within.ts";
import { LIMIT_MS } from "./examine.ts";
import type { DoctorParts, FoundDatabase } from "./finding.ts";

/** Enough for checks that ask at once; the installation's own processes need the rest. */
const MAX_CONNECTIONS = 4;

/**
 * Opens what the checks look at, and starts and changes nothing: an embedded database that does not run stays so, and no migration
 * is applied.
 */
export async function openDoctor(
  variables: Readonly<Record<string, string>>,
  { now }: { now: () => Date },
): Promise<{ parts: DoctorParts; close(): Promise<void> }> {
  const config = readableConfig(variables);
  const found = config ? await connect(config) : null;
  const unreachable = found instanceof UnreachableServerError ? found : null;
  const opened = found instanceof UnreachableServerError ? null : found;
  const database: FoundDatabase | null = opened && {
    db: opened.database.db,
    url: opened.url,
    embeddedFolder: opened.embeddedFolder,
  };
  return {
    parts: { variables, config, database, now, ...(unreachable && { unreachable }) },
    async close() {
      // A statement that hangs would keep its connection open.
      if (opened) await within(1_000, opened.database.close());
    },
  };
}

function readableConfig(variables: Readonly<Record<string, string>>): Config | null {
  try {
    return readConfig(variables);
  } catch (error) {
    if (error instanceof ConfigurationError) return null; // the check of the settings says what is wrong
    throw error;
  }
}

async function connect(
  config: Config,
): Promise<{ database: OpenedDatabase; url: string; embeddedFolder: string | null } | UnreachableServerError | null> {
  const embedded =
    config.databaseUrl === null
      ? await findRunningServer({ folder: join(config.dataDir, "postgres") }).catch((error: unknown) => {
          if (error instanceof UnreachableServerError) return error;
          throw error;
        })
      : null;
  if (embedded instanceof UnreachableServerError) return embedded;
  const url = config.databaseUrl ?? embedded?.url;
  if (url === undefined) return null;
  const database = openDatabase({ url, max: MAX_CONNECTIONS, acquireTimeoutMs: LIMIT_MS });
  const answer = await within(LIMIT_MS, sql`select 1`.execute(database.db));
  if (answer) return { database, url, embeddedFolder: embedded?.folder ?? null };
  await within(1_000, database.close());
  return null;
}
