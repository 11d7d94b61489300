// npm run mutate [-- groups]: plants one fault after another in the pure rules and lists those that no test notices. Not part of CI, because it takes
// minutes.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { groups } from "../mutation/groups.mjs";
import { survivors as explained } from "../mutation/survivors.mjs";
import { findNode } from "./find-node.mjs";
import { ensureInstalled, isInstalled, runNpm } from "./install.mjs";
import { inRoot } from "./root.mjs";
import { runTool } from "./run-tool.mjs";
import { command, secondsSince, tell, Trouble } from "./step.mjs";
import { untilToldToStop } from "./until-told-to-stop.mjs";

/** The minimum share of a group's faults that its tests must notice, in percent. */
const MIN_PERCENT = 90;

/**
 * @typedef {{ file: string, line: number, source: string, was: string, replacement: string }} Survivor
 * @typedef {{ faults: number, noticed: number, survivors: Survivor[] }} Outcome
 */

const report = inRoot(".cache/mutation/report.json");

/**
 * Reads Stryker's report. A fault that makes a test run forever counts as noticed; one that can't be compiled does not count.
 * @returns {Outcome}
 */
function readReport() {
  /** @type {{ files: Record<string, { source: string, mutants: any[] }> }} */
  const { files } = JSON.parse(readFileSync(report, "utf8"));
  /** @type {Outcome} */
  const outcome = { faults: 0, noticed: 0, survivors: [] };
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const lines = source.split("\n");
    for (const { status, location, replacement } of mutants) {
      if (status === "Ignored" || status === "CompileError" || status === "RuntimeError") continue;
      outcome.faults += 1;
      if (status === "Killed" || status === "Timeout") outcome.noticed += 1;
      else {
        const { start, end } = location;
        const text = lines[start.line - 1] ?? "";
        const was = text.slice(start.column - 1, start.line === end.line ? end.column - 1 : undefined);
        outcome.survivors.push({ file, line: start.line, source: text.trim(), was, replacement });
      }
    }
  }
  return outcome;
}

/** @param {Survivor} survivor */
const isExplained = ({ file, source, was, replacement }) =>
  explained.some(
    (known) =>
      known.file === file &&
      known.source === source &&
      known.faults.some(([from, to]) => from === was && to === replacement),
  );

/** @param {import("../mutation/groups.mjs").Group} group @returns {Promise<boolean>} whether enough faults are noticed and the others explained */
async function mutate({ name }) {
  const from = performance.now();
  rmSync(report, { force: true });
  const stryker = inRoot("mutation/node_modules/@stryker-mutator/core/bin/stryker.js");
  const { output } = await runTool(findNode(), [stryker, "run", inRoot("mutation/stryker.config.mjs")], {
    env: { FARTHING_MUTATE: name },
  });
  if (!existsSync(report)) throw new Trouble(`The faults of "${name}" could not be tested:\n${output.slice(-4000)}`);
  const { faults, noticed, survivors } = readReport();
  const percent = faults === 0 ? 0 : (noticed / faults) * 100;
  const unexplained = survivors.filter((survivor) => !isExplained(survivor));
  tell(
    `- ${name}: ${noticed} of ${faults} noticed (${percent.toFixed(1)} %), ${survivors.length - unexplained.length} explained, ` +
      `${unexplained.length} unexplained; ${secondsSince(from)}`,
  );
  for (const { file, line, was, replacement } of unexplained)
    tell(`    ${file}:${line}  ${was}  ->  ${replacement.replace(/\s+/g, " ").slice(0, 80)}`);
  return percent >= MIN_PERCENT && unexplained.length === 0;
}

await command(async () => {
  void untilToldToStop(() => {});
  const names = process.argv.slice(2);
  const unknown = names.find((wanted) => !groups.some(({ name }) => name === wanted));
  if (unknown)
    throw new Trouble(`There is no group "${unknown}". The groups are: ${groups.map(({ name }) => name).join(", ")}.`);
  await ensureInstalled();
  if (!isInstalled(inRoot("mutation")))
    await runNpm("The mutation tester could not be installed", [
      "ci",
      "--ignore-scripts",
      "--prefix",
      inRoot("mutation"),
    ]);

  let allWell = true;
  for (const group of groups.filter(({ name }) => names.length === 0 || names.includes(name)))
    allWell = (await mutate(group)) && allWell;
  if (!allWell)
    tell(
      `Tests must notice at least ${MIN_PERCENT} %. Write a test for each unexplained fault, or explain it in mutation/survivors.mjs.`,
    );
  return allWell ? 0 : 1;
});
