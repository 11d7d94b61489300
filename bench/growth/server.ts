import { migrate } from "@farthing/db/migrate.ts";
import { administer } from "@farthing/db/testing/administer.ts";
import { startThrowawayServer } from "@farthing/db/testing/throwaway-server.ts";

/** One PostgreSQL for all sizes, with fsync on: each size has a database of its own, one at a time. */
export interface GrowthServer {
  /** Makes a migrated, empty database and returns its address. */
  createDatabase(name: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** The migrated database that the others are copied from: migrating takes longer than copying. */
const TEMPLATE = "growth_template";
/** Settings of a server with a few GB of memory, as docs/operations/scale.md plans one. */
const SETTINGS = { shared_buffers: "1GB", max_wal_size: "8GB", effective_cache_size: "4GB" };

export async function startGrowthServer(): Promise<GrowthServer> {
  const server = await startThrowawayServer({ durable: true, settings: SETTINGS });
  try {
    await administer(server.url, `create database ${TEMPLATE}`);
    await migrate(addressOf(TEMPLATE));
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    async createDatabase(name) {
      await administer(server.url, `create database ${name} template ${TEMPLATE} strategy file_copy`);
      return addressOf(name);
    },
    dropDatabase: (name) => administer(server.url, `drop database if exists ${name} with (force)`),
    stop: server.stop,
  };

  function addressOf(database: string): string {
    const address = new URL(server.url);
    address.pathname = `/${database}`;
    return address.href;
  }
}
