import { setTimeout as delay } from "node:timers/promises";
import { startEmbedded } from "@farthing/db/embedded.ts";
import type { Drill } from "./drill.ts";
import type { Sender } from "./load.ts";
import { clicks, pages } from "./senders.ts";
import { onOwnServer } from "./stand.ts";

const AWAY_SECONDS = 60;
const MAX_RECOVERY_MS = 10_000;

/** The home page, as a visitor without a session gets it: from the cache. */
const visitors: Sender = { name: "visitors", next: () => ({ path: "/", headers: { cookie: "" } }), count: null };

export const databaseAway: Drill = {
  name: "database-away",
  what: `the database is stopped for ${AWAY_SECONDS} seconds`,
  needs: [],
  // Visitors are answered from the cache all the time.
  mark: { outageSeconds: 5 },
  run: (parts) =>
    onOwnServer(
      parts,
      { senders: async (db) => [await clicks(db), pages, visitors] },
      async ({ load, apps, notes, faults }, server) => {
        await server.stop({ evenIfUsed: true });
        await delay((parts.isSmall ? 5 : AWAY_SECONDS) * 1_000);
        if (apps.some(({ isRunning }) => !isRunning)) faults.push("An application ended.");
        const statuses = await Promise.all(
          apps.flatMap(({ port }) => ["/healthz", "/readyz"].map((path) => statusOf(port, path))),
        );
        notes.push(`While away, /healthz and /readyz of each: ${statuses.join(", ")}.`);
        // A new server in the same folder, with the same address.
        await startEmbedded({ folder: server.folder, database: "drills" });
        const ms = await load.untilWell();
        notes.push(`All well ${ms} ms after the database was there again.`);
        if (ms > MAX_RECOVERY_MS) faults.push("The applications took too long to find the database again.");
      },
    ),
};

async function statusOf(port: number, path: string): Promise<number> {
  return (await fetch(`http://localhost:${port}${path}`)).status;
}
