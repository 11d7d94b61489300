// npm run bench [-- names]: runs the benchmarks one after the other and prints one table of figure, target, met or missed.
// npm run bench -- --list: lists them with what is missing. --smoke: runs each for a second to check that it works; its figures mean nothing.
// npm run bench -- --peers: installs and builds the peers that figures are compared with, and nothing else.
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findBrowser } from "./find-browser.mjs";
import { findNode } from "./find-node.mjs";
import { ensureBrowser } from "./install-browser.mjs";
import { ensureInstalled } from "./install.mjs";
import { inRoot } from "./root.mjs";
import { runTool } from "./run-tool.mjs";
import { ensureAppsBuilt } from "./site-build.mjs";
import { Trouble, command, secondsSince, tell } from "./step.mjs";
import { untilToldToStop } from "./until-told-to-stop.mjs";
import { ensureWidgetBuilt } from "./widget-build.mjs";

/**
 * @typedef {object} Benchmark
 * @property {string} name the name on the command line
 * @property {string} file
 * @property {string} measures
 * @property {("wrk" | "browser" | "site" | "linux")[]} needs
 * @property {string[] | string} smoke arguments of the smoke run, or why there is none
 */

/** @type {Benchmark[]} */
const BENCHMARKS = [
  {
    name: "pages",
    file: "bench/pages/run.ts",
    measures: "our pages against raw node:http with the same bytes, and against Next.js",
    needs: ["wrk", "site", "linux"],
    smoke: ["--seconds", "0", "--skip-next"],
  },
  {
    name: "profile",
    file: "bench/profile/run.ts",
    measures: "PostgreSQL's work for members' pages, whatever the length of their history",
    needs: ["site", "linux"],
    smoke: ["--requests", "1", "--histories", "5,50", "--pages", "/profile"],
  },
  {
    name: "lighthouse",
    file: "bench/pages/lighthouse.ts",
    measures: "page loads on a phone with a slow connection",
    needs: ["browser", "site", "linux"],
    smoke: "it installs Lighthouse first; run npm run bench -- lighthouse",
  },
  {
    name: "search",
    file: "bench/search/run.ts",
    measures: "100,000 offers: typos that find the intended offer, and response times",
    needs: [],
    smoke: ["--offers", "1000", "--retailers", "100", "--queries", "40", "--concurrency", "2"],
  },
  {
    name: "catalogue-peer",
    file: "bench/catalogue-peer/run.ts",
    measures: "a category's listing and a search, against the same products in Vendure",
    needs: ["linux"],
    smoke: "it installs Vendure first; run npm run bench -- catalogue-peer",
  },
  {
    name: "clicks",
    file: "bench/clicks/run.ts",
    measures: "durable clicks against raw group-committed inserts",
    needs: ["wrk"],
    smoke: ["--seconds", "1", "--rounds", "1", "--connections", "4"],
  },
  {
    name: "telemetry",
    file: "bench/telemetry/run.ts",
    measures: "durable events a second against multi-row inserts and against one insert per request",
    needs: ["wrk"],
    smoke: ["--seconds", "0", "--rounds", "1", "--connections", "4", "--lines", "50"],
  },
  {
    name: "preflight",
    file: "bench/preflight/run.ts",
    measures: "how much later a click opens the retailer with the check of the network's host than without it",
    needs: ["browser", "site"],
    smoke: ["--runs", "1"],
  },
  {
    name: "telemetry-page",
    file: "bench/telemetry-page/run.ts",
    measures: "first paint and blocking time of a page with telemetry and without, in pairs",
    needs: ["browser", "site"],
    smoke: ["--runs", "1"],
  },
  {
    name: "ledger",
    file: "bench/ledger/run.ts",
    measures: "transfers on one busy account against the same rows without checks",
    needs: [],
    smoke: ["--seconds", "1", "--rounds", "1", "--connections", "4"],
  },
  {
    name: "gift-cards",
    file: "bench/gift-cards/run.ts",
    measures:
      "orders through the whole saga beside their calls alone, and a card's page with its code beside the same one without",
    needs: ["site"],
    smoke: ["--orders", "4", "--concurrency", "2", "--rounds", "1", "--views", "2"],
  },
  {
    name: "admin",
    file: "bench/admin/run.ts",
    measures: "a million members: every list, search, home figure and record of the operators' admin at the database",
    needs: ["site"],
    smoke: ["--members", "400", "--offers", "100", "--entries", "2000", "--repeats", "0"],
  },
  {
    name: "growth",
    file: "bench/growth/run.ts",
    measures:
      "a club at 1, 10 and 100 times its size: what of pages, clicks, reports, books and the admin grows with it",
    needs: ["site", "linux"],
    smoke: ["--smoke"],
  },
  {
    name: "event-loop",
    file: "bench/event-loop/run.ts",
    measures: "for how long long texts, imports, exports and long histories keep everybody else waiting",
    needs: ["site", "linux"],
    smoke: ["--offers", "200", "--members", "400", "--history", "20"],
  },
  {
    name: "networks",
    file: "bench/networks/run.ts",
    measures: "100,000 rows of a network's report, new, unchanged and approved, against raw inserts of the same rows",
    needs: [],
    smoke: ["--rows", "200", "--page", "100", "--members", "20"],
  },
  {
    name: "login",
    file: "bench/login/run.ts",
    measures: "what the response time of a login reveals, and what guessing achieves",
    needs: [],
    smoke: ["--rounds", "3", "--list", "20"],
  },
  {
    name: "uploads",
    file: "bench/uploads/run.ts",
    measures: "memory of the server under twenty large files at once, and malicious ones",
    needs: ["linux"],
    smoke: ["--files", "2", "--unpacked", "50"],
  },
  {
    name: "widget",
    file: "bench/widget/run.ts",
    measures: "bytes of the widget's entries, and the time until the card form is ready",
    needs: ["browser"],
    smoke: ["--runs", "1", "--skip-peers"],
  },
];

/** For each need, returns what is missing in one sentence, or null. @type {Record<string, () => string | null>} */
const MISSING = {
  wrk: () => (isOnPath("wrk") ? null : "wrk, which generates the load, is missing (Debian: apt-get install wrk)"),
  browser: () => (findBrowser() ? null : "Chromium is missing (npm test installs one, or set CHROMIUM_PATH)"),
  linux: () => (process.platform === "linux" ? null : "it reads processor time and memory from Linux's /proc"),
  site: () => null, // built below
};

/** @param {string} program */
function isOnPath(program) {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** @param {Benchmark} benchmark @param {boolean} isSmoke @returns {string | null} a sentence */
function whatIsMissing({ needs, smoke }, isSmoke) {
  if (isSmoke && typeof smoke === "string") return smoke;
  const needed = isSmoke ? needs.filter((need) => need !== "wrk") : needs; // a smoke run generates its load itself
  return needed.map((need) => MISSING[need]?.() ?? null).find((sentence) => sentence !== null) ?? null;
}

/**
 * @typedef {{ what: string, value: number, unit: string, target: { atLeast?: number, atMost?: number }, isMet: boolean }} Figure
 * @typedef {{ name: string, figures: Figure[], problem: string | null, isBroken: boolean }} Outcome
 */

/** @param {Benchmark} benchmark @param {boolean} isSmoke @returns {Promise<Outcome>} */
async function runBenchmark(benchmark, isSmoke) {
  const { name, file, smoke } = benchmark;
  const missing = whatIsMissing(benchmark, isSmoke);
  if (missing !== null) {
    tell(`- ${name}: not run: ${missing}.`);
    return { name, figures: [], problem: missing, isBroken: false };
  }
  const from = performance.now();
  tell(`- ${name}: ${benchmark.measures} ...`);
  const figuresFile = inRoot(".cache/bench", `${name}.jsonl`);
  mkdirSync(inRoot(".cache/bench"), { recursive: true });
  rmSync(figuresFile, { force: true });
  const { code, output } = await runTool(findNode(), [file, ...(isSmoke ? smoke : [])], {
    env: { BENCH_FIGURES: figuresFile, BENCH_SMOKE: isSmoke ? "1" : "" },
    output: isSmoke ? "keep" : "show",
  });
  /** @type {Figure[]} */
  const figures = existsSync(figuresFile)
    ? readFileSync(figuresFile, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
  // A missed target also exits with 1, except in a smoke run.
  const isBroken = code !== 0 && (isSmoke || figures.every(({ isMet }) => isMet));
  if (isBroken && isSmoke) tell(output.trim());
  tell(`  ${name}: ${isBroken ? "BROKEN" : "done"} after ${secondsSince(from)}`);
  return { name, figures, problem: isBroken ? `it ended with ${code}` : null, isBroken };
}

/** @param {Outcome[]} outcomes @param {boolean} isSmoke */
function printTable(outcomes, isSmoke) {
  tell("\n| Benchmark | Figure | Is | Target | |\n|---|---|---:|---:|---|");
  for (const { name, figures, problem, isBroken } of outcomes) {
    for (const { what, value, unit, target, isMet } of figures) {
      const wanted = target.atLeast === undefined ? `at most ${target.atMost}` : `at least ${target.atLeast}`;
      const verdict = isSmoke ? "runs" : isMet ? "met" : "MISSED";
      tell(`| ${name} | ${what} | ${`${value} ${unit}`.trim()} | ${wanted} | ${verdict} |`);
    }
    if (problem !== null) tell(`| ${name} | ${isBroken ? "BROKEN" : "not run"}: ${problem} | | | |`);
  }
}

/** Installs and builds the peers of the benchmarks without measuring, to check that they can be built. */
async function buildPeers() {
  const { code } = await runTool(findNode(), ["bench/build-peers.ts"], { output: "show" });
  return code;
}

await command(async () => {
  void untilToldToStop(() => {});
  const options = process.argv.slice(2).filter((word) => word.startsWith("--"));
  const names = process.argv.slice(2).filter((word) => !word.startsWith("--"));
  const unknown = names.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
  if (unknown.length > 0)
    throw new Trouble(
      `There is no benchmark "${unknown[0]}". There are: ${BENCHMARKS.map(({ name }) => name).join(", ")}.`,
    );
  const wrong = options.find((option) => !["--list", "--smoke", "--peers"].includes(option));
  if (wrong) throw new Trouble(`There is no option ${wrong}. There are: --list, --smoke, --peers.`);
  const isSmoke = options.includes("--smoke");
  const chosen = BENCHMARKS.filter(({ name }) => names.length === 0 || names.includes(name));

  if (options.includes("--list")) {
    for (const benchmark of chosen) {
      const missing = whatIsMissing(benchmark, isSmoke);
      tell(`${benchmark.name.padEnd(11)} ${benchmark.measures}${missing === null ? "" : `. Can't run: ${missing}`}`);
    }
    return 0;
  }
  await ensureInstalled();
  if (options.includes("--peers")) return await buildPeers();
  if (chosen.some(({ needs }) => needs.includes("site"))) {
    await ensureAppsBuilt();
    await ensureWidgetBuilt();
  }
  if (isSmoke && chosen.some(({ needs, smoke }) => needs.includes("browser") && typeof smoke !== "string"))
    await ensureBrowser();
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const benchmark of chosen) outcomes.push(await runBenchmark(benchmark, isSmoke));
  printTable(outcomes, isSmoke);
  const broken = outcomes.filter(({ isBroken }) => isBroken);
  const missed = isSmoke ? 0 : outcomes.flatMap(({ figures }) => figures).filter(({ isMet }) => !isMet).length;
  tell(
    isSmoke
      ? `\n${outcomes.length - broken.length} of ${outcomes.length} benchmarks work; figures of a smoke run mean nothing.`
      : `\n${missed} targets missed, ${broken.length} benchmarks broken.`,
  );
  return broken.length + missed > 0 ? 1 : 0;
});
