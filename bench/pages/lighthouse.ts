/**
 * Measures pages on a phone with a slow connection (targets: performance at least 98, accessibility 100, best practices and SEO at least 95, LCP at most 1.2 s,
 * TBT at most 50 ms, CLS at most 0.02; first view of home at most 250 kB) with Lighthouse 13 and its mobile simulation, as the median of several runs.
 * Run alone with: node bench/pages/lighthouse.ts [--runs 5] [--brand freshledge] [--page home]
 * Needs a built site and Chromium. Installs Lighthouse in bench/peers/lighthouse if needed.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { findBrowser } from "../../bin/find-browser.mjs";
import { report } from "../figures.ts";
import { installedPeer } from "../install-peer.ts";
import { startOwnServer } from "./own-server.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "5" },
    brand: { type: "string" },
    page: { type: "string", multiple: true },
  },
});
const flags = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage";

/** The measurements, how they are printed, and their targets. */
const targets = [
  { name: "performance", of: (result: Result) => score(result, "performance"), target: { atLeast: 98 } },
  { name: "accessibility", of: (result: Result) => score(result, "accessibility"), target: { atLeast: 100 } },
  { name: "best practices", of: (result: Result) => score(result, "best-practices"), target: { atLeast: 95 } },
  { name: "SEO", of: (result: Result) => score(result, "seo"), target: { atLeast: 95 } },
  { name: "FCP ms", of: (result: Result) => Math.round(audit(result, "first-contentful-paint")), target: null },
  {
    name: "LCP ms",
    of: (result: Result) => Math.round(audit(result, "largest-contentful-paint")),
    target: { atMost: 1200 },
  },
  { name: "TBT ms", of: (result: Result) => Math.round(audit(result, "total-blocking-time")), target: { atMost: 50 } },
  { name: "CLS", of: (result: Result) => audit(result, "cumulative-layout-shift"), target: { atMost: 0.02 } },
  {
    name: "page kB",
    of: (result: Result) => Math.round(audit(result, "total-byte-weight") / 1000),
    target: { atMost: 250 },
  },
];

interface Result {
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { score: number | null; numericValue?: number; title: string; scoreDisplayMode: string }>;
}

const peer = installedPeer("lighthouse");

const own = await startOwnServer(4804);
try {
  const { "category, 24 cards": _category, ...pages } = own.pages;
  console.log(`| Page | ${targets.map(({ name }) => name).join(" | ")} |`);
  console.log(`|---|${targets.map(() => "---:").join("|")}|`);
  for (const [page, address] of Object.entries(pages)) {
    if (values.page && !values.page.some((part) => page.includes(part))) continue;
    const results: Result[] = [];
    // Lighthouse sometimes loses the browser's trace and reports it: measure again.
    for (let tries = 0; results.length < Number(values.runs) && tries < 3 * Number(values.runs); tries++) {
      const result = await measure(address, `${page[0]}${tries}`);
      if (result) results.push(result);
    }
    console.log(`| ${page} | ${targets.map(({ of }) => median(results.map(of))).join(" | ")} |`);
    for (const fault of faults(results)) console.log(`  ${fault}`);
    for (const { name, of, target } of targets)
      if (target) report({ what: `${page}: ${name}`, value: median(results.map(of)), unit: "", target });
  }
} finally {
  await own.stop();
}

async function measure(address: string, name: string): Promise<Result | null> {
  const file = path.join(own.scratch, `${name}.json`);
  const host = values.brand ? `${values.brand}.localhost` : "localhost";
  const url = `http://${host}:${new URL(own.server.url).port}${address}`;
  await (await fetch(own.server.url + address)).arrayBuffer(); // renders the page, so that it is in the cache
  const args = ["node_modules/lighthouse/cli/index.js", url, "--quiet", `--chrome-flags=${flags}`];
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

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

/** Returns the audits that fail in most runs, besides the figures. */
function faults(results: Result[]): string[] {
  const [middle] = results.slice(results.length >> 1);
  return Object.entries(middle?.audits ?? {})
    .filter(([, { score: points, scoreDisplayMode }]) => scoreDisplayMode === "binary" && points === 0)
    .map(([id, { title }]) => `${id}: ${title}`);
}
