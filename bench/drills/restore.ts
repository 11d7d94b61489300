/**
 * The drill of the backup (R1): an installation under load is backed up, loses its machine, and is restored on another one, whole and to a moment in the
 * middle. Run alone, after npm run build, with: node bin/run.mjs bench/drills/restore.ts [--port 4300] [--seconds 40]
 * Clicks and telemetry go through the server, transfers of the ledger as its jobs post them. Each is noted when it was acknowledged. Prints sizes, times
 * and losses. Exits with 1 if what was acknowledged before the last archived commit is missing, something is there twice, the restore to a moment has
 * something from after it, or the books don't balance.
 */
import { randomUUID } from "node:crypto";
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bookFloatPayment } from "@farthing/core/gift-cards/operations.server.ts";
import { archiveFolders, readSystemId } from "@farthing/db/backups/archive.ts";
import { measureArchive, readArchiveState } from "@farthing/db/backups/archive-state.ts";
import { openDatabase, type Db } from "@farthing/db/client.ts";
import { startEmbedded } from "@farthing/db/embedded.ts";
import { sql } from "kysely";
import { appProcess } from "./app-process.ts";

const { values } = parseArgs({
  options: { port: { type: "string", default: "4300" }, seconds: { type: "string", default: "40" } },
});
const port = Number(values.port);
const seconds = Number(values.seconds);
const home = mkdtempSync(join(tmpdir(), "farthing-restore-drill-"));
chmodSync(home, 0o755);
const machine = (name: string) => {
  const folder = join(home, name);
  mkdirSync(folder, { mode: 0o755 });
  return folder;
};
const backupDir = join(home, "backups");
/** Per second. */
const RATES = { clicks: 40, transfers: 20, events: 80 } as const;
type Kind = keyof typeof RATES;

/** When each thing was acknowledged, in ms since 1970: it is compared with the times of commits. */
type Acknowledged = Record<Kind, Map<string, number>>;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

function ask(path: string, { cookie = "", body }: { cookie?: string; body?: string }) {
  return new Promise<{ status: number; location: string }>((resolve) => {
    const failed = () => resolve({ status: 0, location: "" });
    const headers = {
      host: `localhost:${port}`,
      cookie,
      ...(body === undefined ? {} : { "content-type": "text/plain" }),
    };
    const asked = request(
      { agent, port, host: "127.0.0.1", path, headers, method: body === undefined ? "GET" : "POST" },
      (answer) => {
        answer.resume();
        answer.on("error", failed);
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? "" }));
      },
    );
    asked.on("error", failed);
    asked.end(body);
  });
}

/** Sends at each kind's rate until it is stopped. What fails is not acknowledged. */
function startLoad({ db, cookie, offers }: { db: Db; cookie: string; offers: string[] }) {
  const acknowledged: Acknowledged = { clicks: new Map(), transfers: new Map(), events: new Map() };
  const open = new Set<Promise<unknown>>();
  let isStopped = false;
  const send: Record<Kind, (turn: number) => Promise<string | null>> = {
    async clicks(turn) {
      const { location } = await ask(`/go/offers/${offers[turn % offers.length]}`, { cookie });
      return URL.parse(location)?.searchParams.get("clickref") ?? null;
    },
    async transfers() {
      const reference = randomUUID();
      await bookFloatPayment(db, { issuer: "drill", amountPence: 70, reference, now: new Date() });
      return `issuer_float:drill:${reference}`;
    },
    async events() {
      const eventId = randomUUID();
      const about = { userId: null, sessionId: eventId, affinityId: "drill", eventType: "OfferRedeemed" };
      const body = JSON.stringify({ ...about, additionalFields: { OfferId: "o1" }, eventId });
      return (await ask("/api/Telemetry", { body })).status === 204 ? eventId : null;
    },
  };
  const began = performance.now();
  const working = Promise.all(
    (Object.keys(RATES) as Kind[]).map(async (kind) => {
      for (let sent = 0; !isStopped; await delay(20)) {
        for (const due = ((performance.now() - began) / 1_000) * RATES[kind]; sent < due; sent += 1) {
          const sending = send[kind](sent)
            .then((id) => id !== null && acknowledged[kind].set(id, Date.now()))
            .catch(() => undefined)
            .finally(() => open.delete(sending));
          open.add(sending);
        }
      }
    }),
  );
  return {
    acknowledged,
    async stop() {
      isStopped = true;
      await working;
      await Promise.all(open);
    },
  };
}

async function logIn(email: string): Promise<string> {
  const origin = `http://localhost:${port}`;
  const answer = await fetch(`${origin}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { origin, "content-type": "application/x-www-form-urlencoded" },
    body: String(new URLSearchParams({ email, password: "Farthing-2026" })),
  });
  if (answer.status !== 303) throw new Error(`The login was answered ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

/** Runs one of the operators' commands as they do. Returns what it printed and how long it took. */
async function command(name: string, args: string[], settings: Record<string, string>) {
  const file = fileURLToPath(new URL(`../../apps/server/commands/${name}.ts`, import.meta.url));
  const began = performance.now();
  const child = spawn(process.execPath, [file, ...args], {
    env: { FARTHING_ENV: "dev", NODE_ENV: "production", ...process.env, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (printed += part.toString()));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}:\n${printed}`);
  return { printed, seconds: (performance.now() - began) / 1_000 };
}

async function opened<T>(dataDir: string, work: (db: Db) => Promise<T>): Promise<T> {
  const server = await startEmbedded({ folder: join(dataDir, "postgres") });
  const { db, close } = openDatabase({ url: server.url, max: 4 });
  try {
    return await work(db);
  } finally {
    await close();
    await server.stop();
  }
}

interface Stored {
  ids: Record<Kind, Set<string>>;
  doubled: number;
  /** Rows by the clock of the server that made them. */
  clicksAfter: number;
}

async function readStored(db: Db, at: Date): Promise<Stored> {
  const read = async (query: ReturnType<typeof sql<{ id: string }>>) =>
    (await query.execute(db)).rows.map(({ id }) => id);
  const found: Record<Kind, string[]> = {
    clicks: await read(sql`select reference as id from clicks`),
    transfers: await read(
      sql`select transfer_key as id from ledger_transfers where transfer_key like 'issuer_float:drill:%'`,
    ),
    events: await read(sql`select session_id as id from telemetry_events where affinity_id = 'drill'`),
  };
  const ids = { clicks: new Set(found.clicks), transfers: new Set(found.transfers), events: new Set(found.events) };
  const doubled = (Object.keys(RATES) as Kind[]).reduce((sum, kind) => sum + found[kind].length - ids[kind].size, 0);
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from clicks where created_at > ${at}`.execute(db);
  return { ids, doubled, clicksAfter: rows[0]?.count ?? 0 };
}

const kinds = Object.keys(RATES) as Kind[];

/** Returns how many of those that were acknowledged in a time are there, and how many are not. */
function compare(acknowledged: Acknowledged, { ids }: Stored, isIn: (at: number) => boolean) {
  let [there, missing] = [0, 0];
  for (const kind of kinds)
    for (const [id, at] of acknowledged[kind])
      if (isIn(at)) {
        if (ids[kind].has(id)) there += 1;
        else missing += 1;
      }
  return { there, missing };
}

function must(holds: boolean, what: string): void {
  if (holds) return;
  console.log(`  FAILED: ${what}`);
  process.exitCode = 1;
}

const lastCommitOf = (printed: string) => Date.parse(/The data go until (\S+),/.exec(printed)?.[1] ?? "");
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

const ARCHIVED_AFTER_MS = 5_000;

async function runDrill(): Promise<void> {
  const lost = machine("lost");
  const settings = { DATA_DIR: lost, BACKUP_DIR: backupDir, ROLES: "web,collector,worker" };
  const app = appProcess(port, settings);
  await app.start();
  const server = await startEmbedded({ folder: join(lost, "postgres"), backupDir });
  const { db, close } = openDatabase({ url: server.url, max: 8 });
  const { rows: brands } = await sql<{ slug: string }>`select slug from brands where is_default`.execute(db);
  const { rows: offers } = await sql<{ id: string }>`
    select o.public_id as id from brands b, live_offers(b.id, now()) o where b.is_default order by o.public_id limit 20`.execute(
    db,
  );
  const load = startLoad({
    db,
    cookie: await logIn(`member@${brands[0]?.slug}.example`),
    offers: offers.map(({ id }) => id),
  });
  await delay(5_000);
  const made = await command("manage-backups", [], settings);
  console.log(`under load: ${made.printed.split("\n").find((line) => line.startsWith("Base backup")) ?? made.printed}`);
  await delay((seconds * 1_000) / 2);
  const middle = new Date();
  const folders = archiveFolders(backupDir, readSystemId(server.folder));
  // A restore to that moment needs a commit from after it. A slow machine fills no file in the meantime: one is archived within a minute.
  while ((readArchiveState(folders).lastSegment?.archivedAt.getTime() ?? 0) < middle.getTime() + ARCHIVED_AFTER_MS)
    await delay(200);
  await delay((seconds * 1_000) / 2);

  const { acknowledged } = load;
  const counted = kinds.map((kind) => `${acknowledged[kind].size} ${kind}`).join(", ");
  const killedAt = Date.now();
  await Promise.all([app.kill(), killServer(server.folder)]);
  await load.stop();
  await close();
  rmSync(lost, { recursive: true });
  const archive = measureArchive(folders);
  const { lastSegment } = readArchiveState(folders);
  console.log(
    `kill -9 of everything and its folder deleted; acknowledged ${counted}; base backup ${megabytes(archive.base)}, log ${megabytes(archive.wal)}, last file ${lastSegment ? ((killedAt - lastSegment.archivedAt.getTime()) / 1_000).toFixed(1) : "?"} s before`,
  );

  const whole = machine("whole");
  const restored = await command("restore-backup", ["--from", backupDir, "--to", whole], { DATA_DIR: whole });
  const until = lastCommitOf(restored.printed);
  const afterwards = appProcess(port, { DATA_DIR: whole, ROLES: "web" });
  const began = performance.now();
  await afterwards.start();
  const startSeconds = (performance.now() - began) / 1_000;
  await afterwards.stop();
  const stored = await opened(whole, (restoredDb) => readStored(restoredDb, middle));
  const before = compare(acknowledged, stored, (at) => at < until);
  const after = compare(acknowledged, stored, (at) => at >= until);
  console.log(
    `restored in ${restored.seconds.toFixed(1)} s, ready ${startSeconds.toFixed(1)} s after; last commit ${((killedAt - until) / 1_000).toFixed(1)} s before the kill\n` +
      `  acknowledged before the last archived commit ${before.there + before.missing}, missing ${before.missing}; after it ${after.there + after.missing}, lost ${after.missing}; doubled ${stored.doubled}`,
  );
  must(before.missing === 0, "something that was acknowledged before the last archived commit is missing");
  must(stored.doubled === 0, "something is there twice");
  must(/The books balance/.test(restored.printed), "the books don't balance");

  const moment = machine("moment");
  const args = ["--from", backupDir, "--to", moment, "--at", middle.toISOString()];
  const partly = await command("restore-backup", args, { DATA_DIR: moment });
  const then = await opened(moment, (restoredDb) => readStored(restoredDb, middle));
  const early = compare(acknowledged, then, (at) => at <= middle.getTime());
  // What was acknowledged later than any answer takes was committed later.
  const late = compare(acknowledged, then, (at) => at > middle.getTime() + 5_000);
  console.log(
    `restored to ${middle.toISOString()} in ${partly.seconds.toFixed(1)} s\n` +
      `  acknowledged before ${early.there + early.missing}, missing ${early.missing}; acknowledged after that are there ${late.there}, clicks made after ${then.clicksAfter}; doubled ${then.doubled}`,
  );
  must(early.missing === 0, "something that was acknowledged before the moment is missing");
  must(late.there + then.clicksAfter === 0, "something from after the moment is there");
  must(then.doubled === 0, "something is there twice");
  must(/The books balance/.test(partly.printed), "the books don't balance");
}

/** Kills the database and waits until its processes have noticed. */
async function killServer(folder: string): Promise<void> {
  const pid = Number.parseInt(readFileSync(join(folder, "postmaster.pid"), "utf8"), 10);
  process.kill(pid, "SIGKILL");
  await delay(1_000);
}

try {
  await runDrill();
} finally {
  agent.destroy();
  rmSync(home, { recursive: true, force: true });
}
