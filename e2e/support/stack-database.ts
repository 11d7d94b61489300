import { join } from "node:path";
import { openDatabase, type Db } from "@farthing/db/client.ts";
import { reachableDataFolder, serverAccount, socketFolder } from "@farthing/db/embedded-location.ts";

/** Runs queries on the database of the stack under test, for data that no page shows and changes that no visitor may make. */
export async function withStackDatabase<T>(ask: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = openDatabase({ url: stackDatabaseUrl(), max: 1 });
  try {
    return await ask(db);
  } finally {
    await close();
  }
}

/** Returns the address of that database: its socket's folder stands in the query. */
export function stackDatabaseUrl(): string {
  const folder = join(String(process.env["FARTHING_E2E_DATA_DIR"]), "postgres");
  const sockets = socketFolder(reachableDataFolder(folder, serverAccount()));
  return `postgresql://farthing@localhost/farthing?host=${encodeURIComponent(sockets)}`;
}
