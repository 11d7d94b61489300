// npm test [-- unit | e2e] [filters]: every test, on the pinned Node and a browser that is found or installed.
// Stops at the first stage that is red; the last line is "N passed, N failed".
import { existsSync, readFileSync, rmSync } from "node:fs";
import { measureBudgets } from "./budgets.mjs";
import { findNode } from "./find-node.mjs";
import { ensureInstalled } from "./install.mjs";
import { ensureBrowser } from "./install-browser.mjs";
import { inRoot } from "./root.mjs";
import { runTool } from "./run-tool.mjs";
import { ensureSiteBuilt } from "./site-build.mjs";
import { command, secondsSince, tell } from "./step.mjs";
import { addCounts, countPlaywright, countVitest, summary } from "./test-counts.mjs";
import { untilToldToStop } from "./until-told-to-stop.mjs";
import { ensureWidgetBuilt } from "./widget-build.mjs";

/** @typedef {import("./test-counts.mjs").TestCounts} TestCounts */

/**
 * Runs a test runner with its own progress on the screen, and reads what it counted.
 * @param {object} runner
 * @param {string} runner.title
 * @param {string[]} runner.args of Node
 * @param {string} runner.report where its JSON reporter writes
 * @param {(report: any) => TestCounts} runner.count
 * @param {NodeJS.ProcessEnv} [runner.env]
 * @returns {Promise<TestCounts>}
 */
async function runTests({ title, args, report, count, env = {} }) {
  const from = performance.now();
  tell(`- ${title} ...`);
  rmSync(report, { force: true });
  const { code } = await runTool(findNode(), args, { env, output: "show" });
  const counts = existsSync(report)
    ? count(JSON.parse(readFileSync(report, "utf8")))
    : { passed: 0, failed: 1, skipped: 0 };
  // The runner knows better than our counting whether all is well.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  tell(`  ${title}: ${summary(counts)} in ${secondsSince(from)}`);
  return counts;
}

/** @param {string[]} filters */
const runUnit = (filters) =>
  runTests({
    title: "Unit and integration tests",
    args: [
      ...[
        inRoot("node_modules/vitest/vitest.mjs"),
        "run",
        "--reporter=default",
        "--reporter=json",
        "--passWithNoTests",
      ],
      ...[`--outputFile.json=${inRoot(".cache/unit/report.json")}`, ...filters],
    ],
    report: inRoot(".cache/unit/report.json"),
    count: countVitest,
  });

/**
 * @param {string} title
 * @param {string} name of the folder below .cache that its report goes to
 * @param {string} config Playwright's
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

/** Byte budgets, each counted as a test. @returns {Promise<TestCounts>} */
async function runBudgets() {
  const budgets = measureBudgets({ everyFile: false });
  const failed = budgets.filter((budget) => budget.bytes > budget.limit).length;
  return { passed: budgets.length - failed, failed, skipped: 0 };
}

await command(async () => {
  void untilToldToStop(() => {});
  const [first, ...rest] = process.argv.slice(2);
  const kind = first === "unit" || first === "e2e" ? first : "all";
  const filters = kind === "all" ? process.argv.slice(2) : rest;

  await ensureInstalled();
  const browser = kind === "unit" ? "" : await ensureBrowser();
  /** @type {(() => Promise<TestCounts>)[]} */
  const stages = [];
  if (kind !== "e2e") stages.push(() => runUnit(filters));
  if (kind !== "unit") {
    stages.push(async () => {
      await ensureSiteBuilt();
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
  if (total.passed + total.failed === 0) tell("No test ran, which proves nothing.");
  tell(summary(total));
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
});
