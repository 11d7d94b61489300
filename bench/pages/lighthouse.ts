/**
 * Measures pages on a phone with a slow connection with Lighthouse 13 and its mobile simulation, in pairs: the page, and the same page with its script files
 * blocked. Compares the 75th percentiles of several runs with targets: blocking time at most 50 ms above the page without script, shift at
 * most 0.02, LCP at most 1.2 s, at most 180 kB, accessibility and SEO 100, best practices at least 95.
 * Run alone with: node bench/pages/lighthouse.ts [--runs 3] [--brand freshledge --brand wardlight] [--page home --page search]
 * All brands and pages by default; `--runs 9` takes about two hours. Needs a built site and Chromium. Installs Lighthouse in bench/peers/lighthouse if needed.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { get } from "node:http";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { findBrowser } from "../../bin/find-browser.mjs";
import { openDatabase } from "@farthing/db/client.ts";
import { type Figure, report } from "../figures.ts";
import { installedPeer } from "../install-peer.ts";
import { startOwnServer } from "./own-server.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "3" },
    brand: { type: "string", multiple: true },
    page: { type: "string", multiple: true },
  },
});
const runs = Number(values.runs);
const flags = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage";

/** A figure of Lighthouse, and its target. Of scores, more is better; of others, less. */
interface Measurement {
  name: string;
  of(result: Result): number;
  isScore?: true;
  target: Figure["target"] | null;
}

const measurements: Measurement[] = [
  { name: "performance", of: (result) => score(result, "performance"), isScore: true, target: null },
  { name: "accessibility", of: (result) => score(result, "accessibility"), isScore: true, target: { atLeast: 100 } },
  { name: "best practices", of: (result) => score(result, "best-practices"), isScore: true, target: { atLeast: 95 } },
  { name: "SEO", of: (result) => score(result, "seo"), isScore: true, target: { atLeast: 100 } },
  { name: "FCP ms", of: (result) => Math.round(audit(result, "first-contentful-paint")), target: null },
  { name: "LCP ms", of: (result) => Math.round(audit(result, "largest-contentful-paint")), target: { atMost: 1200 } },
  { name: "shift", of: (result) => audit(result, "cumulative-layout-shift"), target: { atMost: 0.02 } },
  { name: "kB", of: (result) => Math.round(audit(result, "total-byte-weight") / 1000), target: { atMost: 180 } },
];
const blocking = (result: Result) => Math.round(audit(result, "total-blocking-time"));
/** How much longer script may block than the same page without it, in ms. */
const BLOCKING_MS = 50;

interface Result {
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { score: number | null; numericValue?: number; title: string; scoreDisplayMode: string }>;
}

const peer = installedPeer("lighthouse");

const own = await startOwnServer(4804);
try {
  const { "category, 24 cards": _category, ...found } = own.pages;
  const pages = Object.entries({ ...found, register: "/register" }).filter(
    ([page]) => !values.page || values.page.some((part) => page.includes(part)),
  );
  const brands = values.brand ?? (await brandSlugs(own.databaseUrl));
  console.log(
    `| Page | ${measurements.map(({ name }) => name).join(" | ")} | blocking ms | without script | difference |`,
  );
  console.log(`|---|${"---:|".repeat(measurements.length + 3)}`);
  for (const brand of brands)
    for (const [page, address] of pages) {
      const [plain, still] = await measurePairs(brand, address);
      const figures = measurements.map(({ of, isScore }) => worseQuarter(plain.map(of), isScore));
      const [all, without] = [worseQuarter(plain.map(blocking)), worseQuarter(still.map(blocking))];
      console.log(`| ${brand}: ${page} | ${[...figures, all, without, all - without].join(" | ")} |`);
      for (const fault of faults(plain)) console.log(`  ${fault}`);
      for (const [index, { name, target }] of measurements.entries())
        if (target) report({ what: `${brand} ${page}: ${name}`, value: figures[index] ?? 0, unit: "", target });
      const target = { atMost: BLOCKING_MS };
      report({ what: `${brand} ${page}: blocking time of script`, value: all - without, unit: "ms", target });
    }
} finally {
  await own.stop();
}

async function brandSlugs(url: string): Promise<string[]> {
  const { pool, close } = openDatabase({ url });
  const { rows } = await pool.query<{ slug: string }>("select slug from brands order by slug");
  await close();
  return rows.map(({ slug }) => slug);
}

/** Measures the page and the page without script in turn, so that both meet the same machine. */
async function measurePairs(brand: string, address: string): Promise<[Result[], Result[]]> {
  const plain: Result[] = [];
  const still: Result[] = [];
  // Lighthouse sometimes loses the browser's trace and reports it: measure the pair again.
  for (let tries = 0; plain.length < runs && tries < 3 * runs; tries++) {
    const pair = [await measure(brand, address, []), await measure(brand, address, ["--blocked-url-patterns=*.js"])];
    if (!pair[0] || !pair[1]) continue;
    plain.push(pair[0]);
    still.push(pair[1]);
  }
  return [plain, still];
}

/** Asks for the page once, so that it is in the server's cache. */
function render(host: string, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(own.server.url + address, { headers: { host } }, (answer) => answer.resume().on("end", resolve)).on(
      "error",
      reject,
    );
  });
}

async function measure(brand: string, address: string, options: string[]): Promise<Result | null> {
  const file = path.join(own.scratch, "lighthouse.json");
  const host = `${brand}.localhost:${new URL(own.server.url).port}`;
  const url = `http://${host}${address}`;
  await render(host, address);
  const args = ["node_modules/lighthouse/cli/index.js", url, "--quiet", `--chrome-flags=${flags}`, ...options];
  const running = promisify(execFile)(process.execPath, [...args, "--output=json", `--output-path=${file}`], {
    cwd: peer,
    env: { ...process.env, CHROME_PATH: findBrowser() ?? "" },
  });
  const failed = await running.then(
    () => null,
    (error: Error) => error,
  );
  if (failed && !/\((NO_NAVSTART|NO_FCP|PROTOCOL_TIMEOUT)\)/.test(failed.message)) throw failed;
  if (failed) return null;
  return JSON.parse(readFileSync(file, "utf8")) as Result;
}

function score({ categories }: Result, category: string): number {
  return Math.round(100 * (categories[category]?.score ?? 0));
}

function audit({ audits }: Result, id: string): number {
  return Math.round(1000 * (audits[id]?.numericValue ?? 0)) / 1000;
}

/** Returns the figure that three quarters of the runs do not exceed; for a score, that they reach. */
function worseQuarter(numbers: number[], isScore = false): number {
  const sorted = numbers.toSorted((a, b) => (isScore ? b - a : a - b));
  return sorted[Math.ceil(0.75 * sorted.length) - 1] ?? 0;
}

/** Returns the audits that fail in most runs, besides the figures. */
function faults(results: Result[]): string[] {
  const [middle] = results.slice(results.length >> 1);
  return Object.entries(middle?.audits ?? {})
    .filter(([, { score: points, scoreDisplayMode }]) => scoreDisplayMode === "binary" && points === 0)
    .map(([id, { title }]) => `${id}: ${title}`);
}
