// npm test [-- unit | clocks | e2e] [filters]: runs every test, on the pinned Node and with a browser that is found or installed. Stops after the
// first stage that fails; the last line is "N passed, N failed".
import { existsSync, readFileSync, rmSync } from "node:fs";
import { measureBudgets } from "./budgets.mjs";
import { clockShifts, findFaketime, joinFaketime, shiftedEnvironment, sweepFaketime } from "./clock-shifts.mjs";
import { datedTests } from "./dated-tests.mjs";
import { findNode } from "./find-node.mjs";
import { ensureInstalled } from "./install.mjs";
import { ensureBrowser } from "./install-browser.mjs";
import { inRoot } from "./root.mjs";
import { runTool } from "./run-tool.mjs";
import { ensureAppsBuilt } from "./site-build.mjs";
import { command, secondsSince, tell } from "./step.mjs";
import { addCounts, countPlaywright, countVitest, summary } from "./test-counts.mjs";
import { untilToldToStop } from "./until-told-to-stop.mjs";
import { ensureWidgetBuilt } from "./widget-build.mjs";

/** @typedef {import("./test-counts.mjs").TestCounts} TestCounts */

/**
 * Runs a test runner, which prints its own progress, and reads its counts.
 * @param {object} runner
 * @param {string} runner.title
 * @param {string[]} runner.args arguments of Node
 * @param {string} runner.report path of its JSON report
 * @param {(report: any) => TestCounts} runner.count
 * @param {NodeJS.ProcessEnv} [runner.env]
 * @returns {Promise<TestCounts>}
 */
async function runTests({ title, args, report, count, env = {} }) {
  const from = performance.now();
  tell(`- ${title} ...`);
  rmSync(report, { force: true });
  const { code, stoodStill } = await runTool(findNode(), args, { env, output: "show", result: report });
  if (stoodStill) tell("  It had written its report and did not exit; it was stopped.");
  const counts = existsSync(report)
    ? count(JSON.parse(readFileSync(report, "utf8")))
    : { passed: 0, failed: 1, skipped: 0 };
  // The runner's exit code takes precedence over the counts.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  tell(`  ${title}: ${summary(counts)} in ${secondsSince(from)}`);
  return counts;
}

/**
 * @param {string[]} filters
 * @param {{ title?: string, name?: string, env?: NodeJS.ProcessEnv, reporter?: string }} [run]
 */
function runUnit(
  filters,
  { title = "Unit and integration tests", name = "unit", env = {}, reporter = "default" } = {},
) {
  const report = inRoot(".cache", name, "report.json");
  return runTests({
    title,
    args: [
      ...[inRoot("node_modules/vitest/vitest.mjs"), "run", `--reporter=${reporter}`, "--reporter=json"],
      ...["--passWithNoTests", `--outputFile.json=${report}`, ...filters],
    ],
    report,
    count: countVitest,
    env,
  });
}

/**
 * Runs the tests that read a clock or name a date, at the dates of `shifts`, one run after the other.
 * @param {import("./clock-shifts.mjs").ClockShift[]} shifts
 * @param {string[]} filters
 * @param {{ faketime?: string | null }} [how] without faketime, only Node's clock is shifted
 * @returns {Promise<TestCounts>}
 */
async function runShifted(shifts, filters, { faketime = findFaketime() } = {}) {
  const files = datedTests().filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)));
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0 };
  tell(
    faketime === null
      ? "  Without faketime (Debian: apt-get install faketime), Node's Date and the test databases' now() are shifted."
      : "  The clock of every process is shifted by faketime.",
  );
  const endSweeping = faketime === null ? () => {} : sweepFaketime();
  /** @type {TestCounts[]} */
  const counts = [];
  for (const { name, title, target } of shifts) {
    const now = new Date();
    counts.push(
      await runUnit(files, {
        title: `Dated tests, ${title} (${target(now).toISOString()})`,
        name: `clocks-${name}`,
        env: { ...shiftedEnvironment({ now, target: target(now), faketime }), NO_COLOR: "1" },
        reporter: "dot",
      }),
    );
  }
  endSweeping();
  return addCounts(counts);
}

/**
 * @param {string} title
 * @param {string} name folder in .cache for its report
 * @param {string} config path of Playwright's configuration
 * @param {string} browser
 * @param {string[]} filters
 */
function runBrowser(title, name, config, browser, filters) {
  const report = inRoot(".cache", name, "report.json");
  return runTests({
    title,
    args: [
      ...[inRoot("node_modules/@playwright/test/cli.js"), "test", "--config", inRoot(config)],
      ...["--reporter=list,json", "--pass-with-no-tests", ...filters],
    ],
    report,
    count: countPlaywright,
    env: { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
}

/** `npm test -- clocks own-clock` runs as on a machine without faketime. */
const OWN_CLOCK = "own-clock";

/** Checks the byte budgets; each counts as a test. @returns {Promise<TestCounts>} */
async function runBudgets() {
  const budgets = measureBudgets({ everyFile: false });
  const failed = budgets.filter((budget) => budget.bytes > budget.limit).length;
  return { passed: budgets.length - failed, failed, skipped: 0 };
}

await command(async () => {
  void untilToldToStop(() => {});
  joinFaketime();
  const [first, ...rest] = process.argv.slice(2);
  const kind = first === "unit" || first === "clocks" || first === "e2e" ? first : "all";
  const filters = kind === "all" ? process.argv.slice(2) : rest;

  await ensureInstalled();
  const browser = kind === "unit" || kind === "clocks" ? "" : await ensureBrowser();
  /** @type {(() => Promise<TestCounts>)[]} */
  const stages = [];
  if (kind === "all" || kind === "unit") stages.push(() => runUnit(filters));
  if (kind === "clocks") {
    const named = clockShifts.filter(({ name }) => filters.includes(name));
    const others = filters.filter((filter) => filter !== OWN_CLOCK && !named.some(({ name }) => name === filter));
    const faketime = filters.includes(OWN_CLOCK) ? null : findFaketime();
    stages.push(() => runShifted(named.length > 0 ? named : clockShifts, others, { faketime }));
  }
  if (kind === "all")
    stages.push(() =>
      runShifted(
        clockShifts.filter(({ inCi }) => inCi),
        filters,
      ),
    );
  if (kind === "all" || kind === "e2e") {
    stages.push(async () => {
      await ensureAppsBuilt();
      await ensureWidgetBuilt();
      return runBudgets();
    });
    stages.push(() => runBrowser("Browser tests", "e2e", "playwright.config.ts", browser, filters));
    stages.push(() =>
      runBrowser("The widget's browser tests", "widget", "packages/widget/playwright.config.ts", browser, filters),
    );
  }
  /** @type {TestCounts[]} */
  const counts = [];
  for (const stage of stages) {
    counts.push(await stage());
    if (addCounts(counts).failed > 0) break;
  }
  const total = addCounts(counts);
  if (total.passed + total.failed === 0) tell("No test ran: check the filters.");
  tell(summary(total));
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
});
