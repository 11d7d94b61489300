/**
 * Pages: compares this site with raw node:http that sends the same bytes, and with the same pages in
 * Next.js App Router, in one run, on one database.
 * Run alone with: node bench/pages/run.ts [--seconds 8] [--skip-next]
 * Needs a built site (npm run build) and wrk. Installs and builds the Next peer in bench/peers/next if needed.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { openDatabase } from "@farthing/db/client.ts";
import { isSmoke, report as reportFigure } from "../figures.ts";
import { builtNextPeer } from "../install-peer.ts";
import { load as loadServer, type Load, needLoadGenerator } from "../load.ts";
import { MeasuredServer } from "./measured-server.ts";
import { startOwnServer } from "./own-server.ts";
import { openPeerMarkup } from "./peer-markup.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "8" }, "skip-next": { type: "boolean", default: false } },
});
const seconds = Number(values.seconds);
const root = path.resolve(import.meta.dirname, "../..");
const ports = { farthing: 4801, raw: 4802, next: 4803 };
const password = "Farthing-2026";

interface Row extends Load {
  /** Processor time of the server's process per request. */
  cpuMs: number;
  page: string;
  server: string;
  memoryMb: number;
}

needLoadGenerator();
const own = await startOwnServer(ports.farthing);
const { server: farthing, scratch } = own;
const database = { url: own.databaseUrl };
const { home: _home, retailer: _retailer, ...pages } = own.pages;
const running: MeasuredServer[] = [];
const rows: Row[] = [];
try {
  const cookie = await logIn(farthing.url);

  for (const [page, address] of Object.entries(pages)) {
    await measure("anonymous", page, "farthing", farthing, address);
    const raw = await startRaw(farthing.url + address, page);
    await measure("anonymous", page, "raw node:http", raw, address);
    await raw.stop();
  }
  for (const [page, address] of Object.entries(pages))
    await measure("signed in", page, "farthing", farthing, address, cookie);
  await checkPeerMarkup();
  if (!values["skip-next"]) {
    const peer = builtNextPeer();
    const next = start({
      command: process.execPath,
      args: ["node_modules/next/dist/bin/next", "start", "-p", String(ports.next)],
      cwd: peer,
      port: ports.next,
      env: peerEnv(cookie),
    });
    await next.ready(pages["category, 24 cards"]);
    await checkSameBytes("Next", async (address) => (await fetch(next.url + address)).text());
    for (const [page, address] of Object.entries(pages)) {
      await measure("anonymous", page, "Next 16", next, address);
      await measure("signed in", page, "Next 16", next, address, cookie);
    }
  }
  report();
} finally {
  for (const server of running) await server.stop();
  await own.stop();
}

function start(options: ConstructorParameters<typeof MeasuredServer>[0]): MeasuredServer {
  const server = new MeasuredServer(options);
  running.push(server);
  return server;
}

function peerEnv(cookie: string): NodeJS.ProcessEnv {
  return {
    NODE_ENV: "production",
    DATABASE_URL: database.url,
    SESSION_COOKIE: cookie.slice(0, cookie.indexOf("=")),
    NEXT_TELEMETRY_DISABLED: "1",
  };
}

async function logIn(url: string): Promise<string> {
  const { pool, close } = openDatabase({ url: database.url });
  const { rows: members } = await pool.query<{ email: string }>(
    "select m.email from members m join brands b on b.id = m.brand_id where b.is_default and m.email like 'member@%'",
  );
  await close();
  const answer = await fetch(`${url}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: url },
    body: new URLSearchParams({ email: members[0]?.email ?? "", password }),
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0];
  if (!cookie) throw new Error(`The demo member could not log in: ${answer.status}`);
  return cookie;
}

async function startRaw(address: string, page: string): Promise<MeasuredServer> {
  const file = path.join(scratch, `${page.replaceAll(/\W+/g, "-")}.html`);
  writeFileSync(
    file,
    Buffer.from(await (await fetch(address, { headers: { "Accept-Encoding": "identity" } })).arrayBuffer()),
  );
  const raw = start({
    command: process.execPath,
    args: ["bench/pages/raw-server.ts", file, String(ports.raw)],
    cwd: root,
    port: ports.raw,
    env: {},
  });
  await raw.ready("/");
  return raw;
}

/** Returns the bytes of a page's markup without its scripts. */
function markupBytes(html: string): number {
  const body = /<body[\s\S]*<\/body>/.exec(html)?.[0] ?? "";
  return Buffer.byteLength(body.replaceAll(/<script[\s\S]*?<\/script>|<!--[\s\S]*?-->/g, ""));
}

/** Checks the peer's pages without Next, so that the smoke run of CI sees when they have to follow ours. */
async function checkPeerMarkup(): Promise<void> {
  const peer = await openPeerMarkup(database.url);
  try {
    await checkSameBytes("the peer's components", (address) => peer.render(address));
  } finally {
    await peer.close();
  }
}

/** Checks that both sides' pages are equally large, because a smaller page is faster. @throws Error if their markup differs by more than 10 % */
async function checkSameBytes(where: string, readPeer: (address: string) => Promise<string>): Promise<void> {
  for (const [page, address] of Object.entries(pages)) {
    const ours = markupBytes(await (await fetch(farthing.url + address)).text());
    const theirs = markupBytes(await readPeer(address));
    console.log(`${page}: ${ours} bytes of markup here, ${theirs} in ${where}`);
    if (Math.abs(theirs / ours - 1) > 0.1)
      throw new Error(
        `${page} has ${ours} bytes of markup here and ${theirs} in ${where}: bring bench/peers/next in line.`,
      );
  }
}

async function measure(
  who: string,
  page: string,
  name: string,
  server: MeasuredServer,
  address: string,
  cookie?: string,
): Promise<void> {
  const options = cookie ? { cookie } : {};
  await loadServer(server.url + address, { seconds: isSmoke ? 0 : 2, ...options }); // warm up
  const before = server.processorMs();
  const load = await loadServer(server.url + address, { seconds, ...options });
  const cpuMs = Math.round((1000 * (server.processorMs() - before)) / load.requests) / 1000;
  if (load.failures > 0) throw new Error(`${name} failed ${load.failures} requests of ${address}`);
  rows.push({ page: `${page}, ${who}`, server: name, ...load, cpuMs, memoryMb: server.memoryMb() });
  console.log(
    `${page}, ${who}, ${name}: ${Math.round(load.requestsPerSecond)} requests/s, p50 ${load.p50Ms} ms, p99 ${load.p99Ms} ms, ${cpuMs} ms of processor`,
  );
}

function report(): void {
  console.log(
    "\n| Page | Server | requests/s | p50 ms | p99 ms | CPU ms per request | memory MB |\n|---|---|---:|---:|---:|---:|---:|",
  );
  for (const row of [...rows].sort((a, b) => a.page.localeCompare(b.page))) {
    console.log(
      `| ${row.page} | ${row.server} | ${Math.round(row.requestsPerSecond)} | ${row.p50Ms} | ${row.p99Ms} | ${row.cpuMs} | ${row.memoryMb} |`,
    );
  }
  for (const page of new Set(rows.map((row) => row.page))) {
    const ours = rows.find((row) => row.page === page && row.server === "farthing");
    const raw = rows.find((row) => row.page === page && row.server === "raw node:http");
    const next = rows.find((row) => row.page === page && row.server === "Next 16");
    if (ours && raw)
      reportFigure({
        what: `${page}: of raw node:http`,
        value: (100 * ours.requestsPerSecond) / raw.requestsPerSecond,
        unit: "%",
        target: { atLeast: 60 },
      });
    if (ours && next)
      reportFigure({
        what: `${page}: of Next 16 (by processor time ${Math.round((10 * next.cpuMs) / ours.cpuMs) / 10} times)`,
        value: ours.requestsPerSecond / next.requestsPerSecond,
        unit: "times",
        target: { atLeast: 2.5 },
      });
  }
}
