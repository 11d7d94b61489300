import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { builtSite, loadSite } from "@farthing/site/testing/site.testing.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { expect, test } from "vitest";
import { readConfig } from "../env.ts";
import { jobRounds, type JobRound } from "../jobs/start-job.ts";
import { startServer } from "../start-server.ts";
import { closeAll, type Closing } from "./shutdown.ts";

// Every role in one process, as main.ts starts it.

const { db, url } = await testDatabase();
const { id: brandId } = await insertBrand(db, { slug: "one", isDefault: true });
await db.insertInto("brand_hosts").values({ host: "127.0.0.1", brand_id: brandId }).execute();
loadSite();

async function channelsHeard(): Promise<string[]> {
  const { rows } = await sql<{ query: string }>`select query from pg_stat_activity
    where datname = current_database() and query like 'listen %' order by query`.execute(db);
  return rows.map(({ query }) => query.slice("listen ".length));
}

test.each(["1", "2", "4"])(
  "P3 R1 with DATABASE_POOL_SIZE %s a process hears every channel, is ready, answers pages and runs every job",
  async (size) => {
    const dataDir = await mkdtemp(join(tmpdir(), "farthing-small-pool-"));
    const faults: string[] = [];
    const logger = pino({ level: "error" }, { write: (line: string) => void faults.push(line) });
    const [begun, done] = [new Set<string>(), new Set<string>()];
    const rounds = {
      start: ({ name }: JobRound) => void begun.add(name),
      end() {},
      error() {},
      asyncStart() {},
      asyncEnd: ({ name }: JobRound) => void done.add(name),
    };
    const closing: Closing[] = [
      {
        name: "rounds",
        close: () => {
          jobRounds.unsubscribe(rounds);
        },
      },
    ];
    jobRounds.subscribe(rounds);
    const settings = { DATABASE_URL: url, DATABASE_POOL_SIZE: size, DATA_DIR: dataDir };
    const config = readConfig({ ...settings, FARTHING_SECRET: "a secret of a process with hardly any connections" });
    try {
      const { server } = await startServer({
        config: { ...config, environment: "staging", port: 0, host: "127.0.0.1" },
        ...{ logger, logRequest: () => {}, tell: () => {}, closing },
        loadSite: async () => builtSite,
      });
      closing.push({
        name: "server",
        close() {
          server.closeAllConnections();
          server.close();
        },
      });
      await expect.poll(channelsHeard).toEqual(["mails", "network_events", "site_content", "site_content"].map(quoted));
      const { port } = server.address() as AddressInfo;
      const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
      for (const path of ["/readyz", "/login", "/search?q=tent"])
        expect([path, await statusOf(path)]).toEqual([path, 200]);
      await expect.poll(() => [...begun].filter((name) => !done.has(name))).toEqual([]);
      expect([...done]).toEqual(expect.arrayContaining(["send mails", "deliver webhooks", "index the catalogue"]));
      // With one connection for all of it, a slow machine can make a job wait too long: it comes again.
      expect(faults.filter((fault) => !fault.includes("DatabaseUnavailableError"))).toEqual([]);
    } finally {
      await closeAll(closing, logger);
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);

const quoted = (channel: string) => `"${channel}"`;
