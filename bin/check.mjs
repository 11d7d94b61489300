// npm run check: runs every static check, two at a time, and shows every failure.
import { availableParallelism } from "node:os";
import { findNode } from "./find-node.mjs";
import { ensureInstalled } from "./install.mjs";
import { inRoot } from "./root.mjs";
import { runTool } from "./run-tool.mjs";
import { command, secondsSince, tell } from "./step.mjs";
import { untilToldToStop } from "./until-told-to-stop.mjs";

/** @typedef {{ name: string, steps: [script: string, ...args: string[]][], cwd?: string }} Check */

const TSC = "node_modules/typescript/bin/tsc";

/** Each check runs its steps one after the other, as Node scripts from the checkout's root. @type {Check[]} */
const CHECKS = [
  {
    name: "Types of the site",
    cwd: "apps/site",
    steps: [
      ["node_modules/@react-router/dev/bin.cjs", "typegen"],
      [TSC, "--noEmit", "-p", "."],
    ],
  },
  {
    name: "Types of the admin",
    cwd: "apps/admin",
    steps: [
      ["node_modules/@react-router/dev/bin.cjs", "typegen"],
      [TSC, "--noEmit", "-p", "."],
    ],
  },
  {
    name: "Types of everything else",
    steps: [
      [TSC, "--noEmit", "-p", "."],
      [TSC, "--noEmit", "-p", "apps/server/service-worker"],
    ],
  },
  { name: "Lint (oxlint)", steps: [["node_modules/oxlint/bin/oxlint", "--type-aware", "--deny-warnings"]] },
  { name: "Format (oxfmt; fix it with npm run format)", steps: [["node_modules/oxfmt/bin/oxfmt", "--check", "."]] },
  {
    name: "Imports (dependency-cruiser)",
    steps: [
      [
        "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs",
        ...["--config", ".dependency-cruiser.mjs", "--output-type", "err-long"],
        ...["apps", "packages", "sandbox", "bin", "docs", "e2e", "bench"],
      ],
    ],
  },
  { name: "Unused code (knip)", steps: [["node_modules/knip/bin/knip.js", "--no-progress", "--no-config-hints"]] },
  { name: "The widget's package (publint, Are the types wrong?)", steps: [["packages/widget/check-package.ts"]] },
  { name: "Database types match the migrations", steps: [["packages/db/generate-types.ts", "--check"]] },
];

/** @param {Check} check @returns {Promise<boolean>} whether it passed */
async function runCheck({ name, steps, cwd = "." }) {
  const from = performance.now();
  for (const [script, ...args] of steps) {
    const { code, output } = await runTool(findNode(), [inRoot(script), ...args], { cwd: inRoot(cwd) });
    if (code !== 0) {
      tell(`x ${name}: failed after ${secondsSince(from)}\n\n${output.trim()}\n`);
      return false;
    }
  }
  tell(`- ${name}: passed, ${secondsSince(from)}`);
  return true;
}

await command(async () => {
  void untilToldToStop(() => {});
  await ensureInstalled();
  const from = performance.now();
  const waiting = [...CHECKS];
  /** @type {string[]} */
  const failed = [];
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      if (!(await runCheck(check))) failed.push(check.name);
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism() / 2) }, worker));
  if (failed.length === 0) tell(`All ${CHECKS.length} checks passed, ${secondsSince(from)}.`);
  else tell(`${failed.length} of ${CHECKS.length} checks failed after ${secondsSince(from)}: ${failed.join("; ")}.`);
  return failed.length === 0 ? 0 : 1;
});
