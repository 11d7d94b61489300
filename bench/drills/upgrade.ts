import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "@farthing/db/client.ts";
import { appProcess } from "./app-process.ts";
import { faultsOfBooks, ledger, startCardProvider } from "./card-payments.ts";
import type { Drill } from "./drill.ts";
import { earlierVersion } from "./earlier-version.ts";
import { startWebProxy, takenOut } from "./haproxy.ts";
import { clicks, pages } from "./senders.ts";
import { onOwnServer, portsOf } from "./stand.ts";

/** Of 23 November 2026, with 39 migrations. */
const FROM = "f9adab69";
const HERE = fileURLToPath(new URL("../../", import.meta.url));

export const upgrade: Drill = {
  name: "upgrade",
  what: "two applications of an earlier version are upgraded one by one under load, and one goes back",
  needs: ["git", "haproxy"],
  mark: { failed: 0 },
  async run(parts) {
    const earlier = await earlierVersion(parts.from ?? FROM, parts.tell);
    const [ports, proxyPort] = [portsOf(parts, 2), parts.port + 9];
    const versions = new Map(ports.map((port) => [port, earlier]));
    const provider = await startCardProvider(parts.port + 8);
    const proxy = await startWebProxy(parts.folder, { port: proxyPort, apps: ports, namesHost: true });
    try {
      return await onOwnServer(
        parts,
        {
          proxyPort,
          settings: { ...provider.settings, ROLES: "web,worker", DRAIN_SECONDS: "3", TRUST_PROXY: "loopback" },
          makeApp: (port, settings) =>
            appProcess(port, settings, { program: () => join(versions.get(port)!, "apps/server/main.ts") }),
          senders: async (db) => [await clicks(db), ledger(await provider.makePayments(db, 5_000)), pages],
        },
        async ({ apps, db, load, notes, faults }) => {
          const before = await migrationsOf(db);
          const moves = [
            ...apps.map((app) => ({ app, version: HERE, what: "upgraded" })),
            { app: apps[0]!, version: earlier, what: "gone back" },
          ];
          for (const { app, version, what } of moves) {
            await app.stop();
            versions.set(app.port, version);
            await app.start();
            await delay(3_000);
            const { requests, failed, silenceMs } = load.peek();
            notes.push(
              `Port ${app.port} ${what}: ${requests} requests and ${failed} failed so far, the longest silence ${Math.round(silenceMs)} ms.`,
            );
          }
          const after = await migrationsOf(db);
          notes.push(`${before} migrations before, ${after} after.`, ...takenOut(proxy));
          if (after <= before) faults.push("Nothing was migrated: name an earlier revision with --from.");
          faults.push(...(await faultsOfBooks(db)));
        },
      );
    } finally {
      await proxy.stop();
      await provider.close();
    }
  },
};

async function migrationsOf(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from schema_migrations`.execute(db);
  return rows[0]!.count;
}
