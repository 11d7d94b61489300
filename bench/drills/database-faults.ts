import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, statfsSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startEmbedded, type EmbeddedServer } from "@farthing/db/embedded.ts";
import { sql } from "kysely";
import type { Drill, DrillParts, Figures } from "./drill.ts";
import { onOwnServer, withStand, type Stand } from "./stand.ts";

/** Notes how long it took until every request was answered well. */
async function noteRecovery({ load, notes, faults }: Stand, what: string): Promise<void> {
  const ms = await load.untilWell();
  if (Number.isFinite(ms)) notes.push(`${what}: all well after ${ms} ms.`);
  else faults.push(`${what}: requests are not answered two minutes later.`);
}

export const connections: Drill = {
  name: "connections",
  what: "every connection to the database is cut, ten times in three seconds",
  needs: [],
  mark: { outageSeconds: 5 },
  run: (parts) =>
    onOwnServer(parts, {}, async (stand) => {
      for (let time = 0; time < 10; time += 1) {
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'farthing' and pid <> pg_backend_pid()`
          .execute(stand.db)
          .catch(() => undefined); // its own connection may be cut too
        await delay(300);
      }
      await noteRecovery(stand, "Ten times cut");
    }),
};

export const restart: Drill = {
  name: "restart",
  what: "the database is restarted three times (pg_ctl restart -m fast)",
  needs: [],
  mark: { outageSeconds: 10 },
  run: (parts) =>
    onOwnServer(parts, {}, async (stand, server) => {
      for (let time = 1; time <= 3; time += 1) {
        restartServer(server);
        await noteRecovery(stand, `Restart ${time} of 3`);
      }
    }),
};

export const postmaster: Drill = {
  name: "postmaster",
  what: "the embedded PostgreSQL that two applications share is killed three times",
  needs: [],
  mark: { outageSeconds: 15 },
  async run(parts) {
    const dataDir = join(parts.folder, "embedded");
    mkdirSync(dataDir, { mode: 0o755 });
    return onEmbedded(parts, dataDir, async (stand) => {
      for (let time = 1; time <= 3; time += 1) {
        process.kill(postmasterPid(join(dataDir, "postgres")), "SIGKILL");
        await delay(1_000);
        await noteRecovery(stand, `Kill ${time} of 3`);
      }
    });
  },
};

/** Seconds without room. */
const FULL_SECONDS = 8;

export const disk: Drill = {
  name: "disk",
  what: `the disk under the embedded PostgreSQL is full for ${FULL_SECONDS} seconds`,
  needs: ["root"],
  mark: { outageSeconds: 30 },
  async run(parts) {
    const dataDir = join(parts.folder, "small");
    mkdirSync(dataDir, { mode: 0o755 });
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=700m,mode=755", "tmpfs", dataDir]);
    try {
      return await onEmbedded(parts, dataDir, async (stand) => {
        await sql`create table filler (id uuid)`.execute(stand.db);
        const ballast = join(dataDir, "ballast");
        fillDisk(ballast);
        const until = performance.now() + FULL_SECONDS * 1_000;
        while (performance.now() < until) {
          // Uses up the database's own reserves: its log needs a new file and can't have one.
          await sql`insert into filler select gen_random_uuid() from generate_series(1, 50000)`
            .execute(stand.db)
            .catch(() => undefined);
          await sql`select pg_switch_wal()`.execute(stand.db).catch(() => undefined);
          await delay(100);
        }
        const { bavail, bsize } = statfsSync(dataDir);
        const living = stand.apps.filter(({ isRunning }) => isRunning).length;
        stand.notes.push(`While full: ${Math.round((bavail * bsize) / 1024)} kB free, ${living} processes live.`);
        truncateSync(ballast);
        await noteRecovery(stand, "Room again");
      });
    } finally {
      execFileSync("/bin/umount", ["-l", dataDir]);
    }
  },
};

/** Writes until the disk is full. */
function fillDisk(file: string): void {
  const part = Buffer.alloc(256 * 1024);
  try {
    for (;;) appendFileSync(file, part);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

/** Runs `work` on applications that share the embedded server of a data folder. */
function onEmbedded(parts: DrillParts, dataDir: string, work: (stand: Stand) => Promise<void>): Promise<Figures> {
  // Joins the server that the first application started.
  const urlOf = async () => (await startEmbedded({ folder: join(dataDir, "postgres") })).url;
  return withStand(parts, { settings: { DATA_DIR: dataDir }, urlOf }, work);
}

/** Restarts a server as an operator does, under its account. */
function restartServer(server: EmbeddedServer): void {
  const program = readFileSync(`/proc/${postmasterPid(server.folder)}/cmdline`, "utf8").split("\0")[0] ?? "";
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  execFileSync(join(program, "..", "pg_ctl"), ["restart", "-D", server.folder, "-m", "fast", "-w", "-l", "/dev/null"], {
    ...account,
    cwd: "/",
    stdio: "ignore",
  });
}

function postmasterPid(folder: string): number {
  return Number.parseInt(readFileSync(join(folder, "postmaster.pid"), "utf8"), 10);
}
