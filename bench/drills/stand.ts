import { chmodSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openDatabase, type Db } from "@farthing/db/client.ts";
import { startEmbedded, type EmbeddedServer } from "@farthing/db/embedded.ts";
import { sql } from "kysely";
import { appProcess, type AppProcess } from "./app-process.ts";
import type { DrillParts, Figures } from "./drill.ts";
import { endAtExit, signalIfThere } from "./program-process.ts";
import { startLoad, type Load, type Sender } from "./load.ts";
import { clicks, pages } from "./senders.ts";

/** Applications under load, and their database. */
export interface Stand {
  apps: readonly AppProcess[];
  load: Load;
  db: Db;
  /** Adds to what the drill's figures say. */
  notes: string[];
  faults: string[];
}

export interface StandOptions {
  /** Settings of every application, besides its port. */
  settings: Record<string, string>;
  /** Returns the address of the database, once the applications run. */
  urlOf(): Promise<string>;
  /** The number of applications; their ports are the drill's first ones, three apart. */
  apps?: number;
  /** The port that the load asks, where something stands before the applications. */
  proxyPort?: number;
  /** What the load sends; clicks and pages by default. */
  senders?: (db: Db) => Promise<readonly Sender[]>;
  /** Figures begin with the load, and not only when `work` does. */
  countsFromStart?: boolean;
  /** Makes an application; that of this checkout by default. */
  makeApp?: (port: number, settings: Record<string, string>) => AppProcess;
}

/** Returns the ports of a drill's applications. Each uses its own and, for stand-ins that are not there, the two after it. */
export const portsOf = ({ port }: Pick<DrillParts, "port">, count: number): number[] =>
  Array.from({ length: count }, (_, index) => port + index * 3);

/**
 * Starts the applications and the load, runs `work`, waits until every request is answered well, stops everything and counts.
 */
export async function withStand(
  parts: DrillParts,
  {
    settings,
    urlOf,
    apps: count = 2,
    proxyPort,
    senders = usual,
    makeApp = appProcess,
    countsFromStart = false,
  }: StandOptions,
  work: (stand: Stand) => Promise<void>,
): Promise<Figures> {
  const ports = portsOf(parts, count);
  const apps = ports.map((own) => makeApp(own, { ROLES: "web,worker", ...settings }));
  const faults: string[] = [];
  const notes: string[] = [];
  const closing: (() => Promise<void>)[] = [];
  try {
    for (const app of apps) await app.start();
    const database = openDatabase({ url: await urlOf(), max: 2 });
    const { db } = database;
    closing.push(() => database.close());
    const sent = await senders(db);
    const asked = proxyPort === undefined ? ports : [proxyPort];
    const cookie = await logIn(db, asked[0]!);
    const load = startLoad({ ports: asked, connections: parts.connections, cookie, senders: sent });
    closing.push(() => load.stop());
    await load.untilWell();
    if (!countsFromStart) load.take();
    await work({ apps, load, db, notes, faults });
    const wellAfter = await load.untilWell();
    if (!Number.isFinite(wellAfter)) faults.push("Requests are not answered two minutes after the end.");
    const taken = load.take();
    await load.stop();
    const counted = await countAll(db, sent);
    const ends = apps.reduce((sum, app) => sum + app.ends, 0);
    if (ends > 0) faults.push(`${ends} processes ended by themselves.`);
    const said = new Set(apps.flatMap((app) => app.said));
    return {
      ...{ requests: taken.requests, failed: taken.failed, lost: counted.lost, doubled: counted.doubled },
      outageSeconds: Math.round(taken.silenceMs / 100) / 10,
      faults,
      notes: [describeStatuses(taken.statuses), ...counted.notes, ...notes, ...[...said].map((line) => `Log: ${line}`)],
    };
  } finally {
    for (const close of closing.toReversed()) await close();
    for (const app of apps) await app.stop();
  }
}

const usual = async (db: Db): Promise<readonly Sender[]> => [await clicks(db), pages];

async function countAll(db: Db, senders: readonly Sender[]) {
  let [lost, doubled] = [0, 0];
  const notes: string[] = [];
  for (const { name, count } of senders) {
    if (!count) continue;
    const counted = await count(db);
    lost += counted.lost;
    doubled += counted.doubled;
    notes.push(
      `${counted.acknowledged} ${name} acknowledged, of these ${counted.lost} lost; ${counted.doubled} doubled.`,
    );
  }
  return { lost, doubled, notes };
}

function describeStatuses(statuses: Map<number, number>): string {
  const sorted = [...statuses].toSorted(([one], [other]) => one - other);
  return `Answers: ${sorted.map(([status, count]) => `${status === 0 ? "none" : status}: ${count}`).join(", ")}.`;
}

/** Logs the demo member in through the form and returns the cookies. */
async function logIn(db: Db, port: number): Promise<string> {
  const { rows } = await sql<{ slug: string }>`select slug from brands where is_default`.execute(db);
  const origin = `http://localhost:${port}`;
  const send = () =>
    fetch(`${origin}/login`, {
      method: "POST",
      redirect: "manual",
      headers: { origin, "content-type": "application/x-www-form-urlencoded" },
      body: String(new URLSearchParams({ email: `member@${rows[0]?.slug}.example`, password: "Farthing-2026" })),
    });
  let answer = await send();
  // A proxy needs a moment to notice that the applications are ready.
  for (let time = 0; answer.status === 503 && time < 50; time += 1) {
    await delay(200);
    answer = await send();
  }
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  if (answer.status !== 303 || cookie === "") throw new Error(`The login was answered ${answer.status}`);
  return cookie;
}

/** Starts a durable PostgreSQL of the drill's own, runs `work` and stops it. */
export async function withServer<T>(
  parts: DrillParts,
  work: (server: EmbeddedServer, home: string) => Promise<T>,
): Promise<T> {
  const home = mkdtempSync(join(parts.folder, "server-"));
  chmodSync(home, 0o755);
  const server = await startEmbedded({ folder: join(home, "postgres"), database: "drills" });
  const ended = endAtExit(() => signalIfThere(server.pid, "SIGQUIT"));
  try {
    return await work(server, home);
  } finally {
    ended();
    await server.stop({ evenIfUsed: true });
  }
}

/** Runs `work` on applications whose database is a server of the drill's own. */
export function onOwnServer(
  parts: DrillParts,
  options: Omit<StandOptions, "urlOf" | "settings"> & { settings?: Record<string, string> },
  work: (stand: Stand, server: EmbeddedServer) => Promise<void>,
): Promise<Figures> {
  return withServer(parts, (server, home) =>
    withStand(
      parts,
      {
        ...options,
        settings: { DATABASE_URL: server.url, DATA_DIR: home, ...options.settings },
        urlOf: async () => server.url,
      },
      (stand) => work(stand, server),
    ),
  );
}
