/**
 * Drills (P6, R1): breaks what two processes of the application on one database depend on, under load. Run alone, after
 * npm run build, with: node bin/run.mjs bench/drills/run.ts [--port 4300] [--connections 16] [connections restart kill postmaster disk]
 * Uses ports from --port on. Each drill prints the responses, the time until automatic recovery, whether a process exited on its own, and whether an
 * acknowledged click is missing. "disk" needs root, for its own small disk. Exits with 1 if something was lost.
 */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  truncateSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openDatabase, type Db } from "@farthing/db/client.ts";
import { startEmbedded, type EmbeddedServer } from "@farthing/db/embedded.ts";
import { sql } from "kysely";
import { appProcess, type AppProcess } from "./app-process.ts";
import { startLoad, type Load } from "./load.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: "string", default: "4300" }, connections: { type: "string", default: "16" } },
});
const port = Number(values.port);
const ports = [port, port + 3];
const connections = Number(values.connections);
const wanted = positionals.length > 0 ? positionals : ["connections", "restart", "kill", "postmaster", "disk"];
const folder = mkdtempSync(join(tmpdir(), "farthing-drills-"));
chmodSync(folder, 0o755);

interface Stand {
  apps: AppProcess[];
  load: Load;
  /** Settings of the drill, added to the application's. */
  db: Db;
}

/** Starts both processes and the load, runs `work`, then stops everything and counts the losses. */
async function withStand(
  settings: Record<string, string>,
  urlOf: () => Promise<string>,
  work: (stand: Stand) => Promise<void>,
): Promise<void> {
  const apps = ports.map((own) => appProcess(own, { ROLES: "web,worker", ...settings }));
  try {
    for (const app of apps) await app.start();
    const database = openDatabase({ url: await urlOf(), max: 2 });
    const { db } = database;
    const load = startLoad({ ports, connections, cookie: await logIn(), offers: await someOffers(db) });
    await load.untilWell();
    load.counts();
    await work({ apps, load, db });
    await load.untilWell();
    await load.stop();
    const { rows } = await sql<{ reference: string }>`select reference from clicks`.execute(db);
    const stored = new Set(rows.map(({ reference }) => reference));
    const lost = [...load.acknowledged].filter((reference) => !stored.has(reference));
    const ends = apps.reduce((sum, app) => sum + app.ends, 0);
    console.log(
      `  clicks acknowledged ${load.acknowledged.size}, of these missing ${lost.length}; processes that ended by themselves ${ends}`,
    );
    for (const line of new Set(apps.flatMap(({ said }) => said))) console.log(`  said: ${line}`);
    if (lost.length > 0 || ends > 0) process.exitCode = 1;
    await database.close();
  } finally {
    for (const app of apps) await app.stop();
  }
}

function report(what: string, load: Load, wellAfterMs: number): void {
  const counts = [...load.counts()].toSorted(([a], [b]) => a - b);
  const told = counts.map(([status, count]) => `${status === 0 ? "none" : status}: ${count}`).join(", ");
  console.log(`${what}\n  answers ${told}; all well ${wellAfterMs} ms after`);
  if (!Number.isFinite(wellAfterMs) || counts.some(([status]) => status === 500)) process.exitCode = 1;
}

/** Logs the demo member in through the form. */
async function logIn(): Promise<string> {
  const origin = `http://localhost:${port}`;
  const answer = await fetch(`${origin}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { origin, "content-type": "application/x-www-form-urlencoded" },
    body: String(new URLSearchParams({ email: await demoEmail(), password: "Farthing-2026" })),
  });
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  if (answer.status !== 303 || cookie === "") throw new Error(`The login was answered ${answer.status}`);
  return cookie;
}

let demoUrl = "";
async function demoEmail(): Promise<string> {
  const { db, close } = openDatabase({ url: demoUrl, max: 1 });
  const { rows } = await sql<{ slug: string }>`select slug from brands where is_default`.execute(db);
  await close();
  return `member@${rows[0]?.slug}.example`;
}

async function someOffers(db: Db): Promise<string[]> {
  const { rows } = await sql<{ public_id: string }>`
    select o.public_id from brands b, live_offers(b.id, now()) o where b.is_default order by o.public_id limit 20`.execute(
    db,
  );
  return rows.map(({ public_id }) => public_id);
}

const drills: Record<string, () => Promise<void>> = {
  async connections() {
    await onOwnServer(async ({ load, db }) => {
      for (let time = 0; time < 10; time += 1) {
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'farthing' and pid <> pg_backend_pid()`
          .execute(db)
          .catch(() => undefined);
        await delay(300);
      }
      report("pg_terminate_backend of every connection, 10 times in 3 s", load, await load.untilWell());
    });
  },

  async restart() {
    await onOwnServer(async ({ load }, server) => {
      for (let time = 1; time <= 3; time += 1) {
        pgCtl("restart", server);
        report(`pg_ctl restart -m fast, ${time} of 3`, load, await load.untilWell());
      }
    });
  },

  async kill() {
    await onOwnServer(async ({ load, apps }) => {
      for (const app of apps) {
        await app.kill();
        await delay(500);
        await app.start();
        report(
          `kill -9 of the process at port ${app.port}, started again by hand (systemd would)`,
          load,
          await load.untilWell(),
        );
      }
    });
  },

  async postmaster() {
    const dataDir = join(folder, "embedded");
    mkdirSync(dataDir, { mode: 0o755 });
    await onEmbedded(dataDir, async ({ load }) => {
      for (let time = 1; time <= 3; time += 1) {
        process.kill(postmasterPid(dataDir), "SIGKILL");
        await delay(1_000);
        report(`kill -9 of the embedded PostgreSQL, which both share, ${time} of 3`, load, await load.untilWell());
      }
    });
  },

  async disk() {
    if (process.getuid?.() !== 0) return console.log("disk: needs root, to make a small disk; left out");
    const dataDir = join(folder, "small");
    mkdirSync(dataDir, { mode: 0o755 });
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=700m,mode=755", "tmpfs", dataDir]);
    try {
      await onEmbedded(dataDir, async ({ load, db, apps }) => {
        await sql`create table filler (id uuid)`.execute(db);
        const ballast = join(dataDir, "ballast");
        fillDisk(ballast);
        const until = performance.now() + 8_000;
        while (performance.now() < until) {
          // Uses up the database's own reserves: its log needs a new file and can't have one.
          await sql`insert into filler select gen_random_uuid() from generate_series(1, 50000)`
            .execute(db)
            .catch(() => undefined);
          await sql`select pg_switch_wal()`.execute(db).catch(() => undefined);
          await delay(100);
        }
        const full = statfsSync(dataDir);
        console.log(
          `  free while full: ${Math.round((full.bavail * full.bsize) / 1024)} kB; processes that live: ${apps.filter(({ isRunning }) => isRunning).length}`,
        );
        report("a full disk under the embedded PostgreSQL, for 8 s", load, 0);
        truncateSync(ballast);
        report("the disk has room again", load, await load.untilWell());
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

function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8"), 10);
}

async function onEmbedded(dataDir: string, work: (stand: Stand) => Promise<void>): Promise<void> {
  const settings = { DATA_DIR: dataDir };
  // Joins the server that the first process started.
  const urlOf = async () => (demoUrl = (await startEmbedded({ folder: join(dataDir, "postgres") })).url);
  await withStand(settings, urlOf, work);
}

async function onOwnServer(work: (stand: Stand, server: EmbeddedServer) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(folder, "server-"));
  chmodSync(home, 0o755);
  const server = await startEmbedded({ folder: join(home, "postgres"), database: "drills" });
  demoUrl = server.url;
  try {
    await withStand(
      { DATABASE_URL: server.url, DATA_DIR: home },
      async () => server.url,
      (stand) => work(stand, server),
    );
  } finally {
    await server.stop({ evenIfUsed: true });
  }
}

/** Runs pg_ctl as an operator does, under the server's account. */
function pgCtl(act: "restart", server: EmbeddedServer): void {
  const program = readFileSync(`/proc/${postmasterOf(server)}/cmdline`, "utf8").split("\0")[0] ?? "";
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  execFileSync(join(program, "..", "pg_ctl"), [act, "-D", server.folder, "-m", "fast", "-w", "-l", "/dev/null"], {
    ...account,
    cwd: "/",
    stdio: "ignore",
  });
}

function postmasterOf({ folder: data }: EmbeddedServer): number {
  return Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10);
}

try {
  for (const name of wanted) {
    const drill = drills[name];
    if (!drill) throw new Error(`There is no drill ${name}: ${Object.keys(drills).join(", ")}`);
    await drill();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
