import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sql } from "kysely";
import type { Db } from "@farthing/db/client.ts";
import { faultsOfBooks, ledger, startCardProvider } from "./card-payments.ts";
import type { Drill } from "./drill.ts";
import { startPooler } from "./pgbouncer.ts";
import { clicks, pages, telemetry } from "./senders.ts";
import { withServer, withStand } from "./stand.ts";

/** Connections of the pooler to the server: far fewer than the two applications open to the pooler. */
const CONNECTIONS = 8;
/** A change is heard at once; without notifications, cached pages show it after a minute. */
const HEARD_WITHIN_MS = 5_000;

export const pooler: Drill = {
  name: "pooler",
  what: "two applications work through PgBouncer in transaction mode, which has fewer connections than they",
  needs: ["pgbouncer"],
  mark: { failed: 0 },
  run: (parts) =>
    withServer(parts, async (server, home) => {
      const provider = await startCardProvider(parts.port + 8);
      const { pooler: process, url } = await startPooler(parts.folder, {
        port: parts.port + 7,
        url: server.url,
        connections: CONNECTIONS,
      });
      const settings = { ...provider.settings, DATABASE_URL: url, DATABASE_DIRECT_URL: server.url, DATA_DIR: home };
      try {
        return await withStand(
          parts,
          {
            settings: { ...settings, ROLES: "web,collector,worker", TRUST_PROXY: "loopback" },
            urlOf: async () => url,
            senders: async (db) => [
              await clicks(db),
              ledger(await provider.makePayments(db, 5_000)),
              telemetry(),
              pages,
            ],
          },
          async ({ apps, db, notes, faults }) => {
            await delay(parts.isSmall ? 2_000 : 15_000);
            const { connections, locks } = await connectionsOf(server.url, db);
            notes.push(`${connections} connections of the pooler to the server.`);
            if (connections > CONNECTIONS) faults.push(`The pooler has ${connections} connections to the server.`);
            if (locks > 0) faults.push(`${locks} locks of sessions are left on the pooler's connections.`);
            for (const app of apps) {
              const ms = await heardAfter(db, app.port);
              notes.push(`Port ${app.port} showed a change of the brand after ${ms} ms.`);
              if (ms > HEARD_WITHIN_MS) faults.push(`Port ${app.port} did not hear of a change.`);
            }
            for (const command of COMMANDS) {
              const failure = await run(command, { ...settings, FARTHING_ENV: "dev" });
              if (failure !== null) faults.push(`${command} fails through the pooler: ${failure}`);
            }
            faults.push(...(await faultsOfBooks(db)));
          },
        );
      } finally {
        await process.stop();
        await provider.close();
      }
    }),
};

/** Commands that operators run on the same settings. */
const COMMANDS = ["check-ledger.ts", "list-due-work.ts", "list-networks.ts"];

async function run(command: string, settings: Record<string, string>): Promise<string | null> {
  const file = fileURLToPath(new URL(`../../apps/server/commands/${command}`, import.meta.url));
  try {
    await promisify(execFile)(process.execPath, [file], { env: { ...process.env, ...settings } });
    return null;
  } catch (error) {
    return (error as Error).message.slice(0, 300);
  }
}

/** Returns the pooler's connections to the server, and the session locks that are held on any of its connections. */
async function connectionsOf(serverUrl: string, db: Db): Promise<{ connections: number; locks: number }> {
  const database = new URL(serverUrl).pathname.slice(1);
  // A session lock has outlived the transaction that took it: its connection is idle, and a transaction's own are gone by then.
  const { rows } = await sql<{ connections: number; locks: number }>`
    select (select count(*) from pg_stat_activity where datname = ${database} and query not ilike 'listen %' and client_port is not null
        and application_name = 'farthing') as connections,
      (select count(*) from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'advisory' and a.state = 'idle') as locks`.execute(db);
  return rows[0]!;
}

/** Changes the default brand's name and returns the milliseconds until the home page, which is cached, shows it. */
async function heardAfter(db: Db, port: number): Promise<number> {
  const home = async () => (await fetch(`http://localhost:${port}/`)).text();
  const { rows } = await sql<{ name: string }>`select name from brands where is_default`.execute(db);
  const { name } = rows[0]!;
  const changed = `Drill ${port}`;
  await home();
  const began = performance.now();
  try {
    await sql`update brands set name = ${changed} where is_default`.execute(db);
    while (!(await home()).includes(changed)) {
      if (performance.now() - began > HEARD_WITHIN_MS * 2) return Number.POSITIVE_INFINITY;
      await delay(20);
    }
    return Math.round(performance.now() - began);
  } finally {
    await sql`update brands set name = ${name} where is_default`.execute(db);
  }
}
