import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Drill } from "./drill.ts";
import { startDatabaseProxy } from "./haproxy.ts";
import { startCluster } from "./patroni.ts";
import { withStand } from "./stand.ts";

export const failover: Drill = {
  name: "failover",
  what: "the primary of two PostgreSQL is killed with its Patroni, and the synchronous standby takes its place",
  needs: ["postgres", "patroni", "etcd", "haproxy"],
  mark: { outageSeconds: 45 },
  async run(parts) {
    const { folder, port, tell } = parts;
    const cluster = await startCluster(folder, port + 10);
    const proxyPort = port + 9;
    const proxy = await startDatabaseProxy(folder, { port: proxyPort, databases: cluster.members });
    const urlTo = (at: number, database: string) => `postgresql://farthing@127.0.0.1:${at}/${database}`;
    try {
      tell("The standby is synchronous.");
      const first = await cluster.primary();
      if (!first) throw new Error("The cluster has no primary.");
      await createDatabase(urlTo(first.port, "postgres"));
      const url = urlTo(proxyPort, "drills");
      return await withStand(
        parts,
        { settings: { DATABASE_URL: url, DATA_DIR: folder }, urlOf: async () => url },
        async ({ load, notes }) => {
          await delay(2_000);
          await first.kill();
          const killed = performance.now();
          let next = await cluster.primary();
          while (next === null || next.name === first.name) {
            await delay(100);
            next = await cluster.primary();
          }
          notes.push(`The standby was promoted after ${Math.round(performance.now() - killed)} ms.`);
          await load.untilWell();
          notes.push(`All well ${Math.round(performance.now() - killed - 1_000)} ms after the primary died.`);
        },
      );
    } finally {
      await proxy.stop();
      await cluster.stop();
    }
  },
};

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("create database drills");
  } finally {
    await client.end();
  }
}
