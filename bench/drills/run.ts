/**
 * Reliability drills (P6, R1, R2): breaks what applications under load depend on and counts what was lost. Run with
 * npm run drill -- <name> …; docs/operations/drills.md describes each. Starts its own databases and uses ports from --port on.
 * Prints each drill's figures beside its pass mark, and exits with 1 if one is missed or can't run.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { describeFigures, describeMark, missesOf, type Drill } from "./drill.ts";
import { drillPrograms, drills, type DrillProgram } from "./drills.ts";
import { whatIsMissing } from "./programs.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "boolean", default: false },
    port: { type: "string", default: "4300" },
    connections: { type: "string", default: "12" },
    small: { type: "boolean", default: false },
    from: { type: "string" },
  },
});

// What the drill has started ends with this process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));

if (values.list || positionals.length === 0) list();
else process.exitCode = await runAll(positionals);

function list(): void {
  console.log("npm run drill -- <name> …, or all. The drills (docs/operations/drills.md):\n");
  for (const { name, what, needs } of drills) {
    const missing = whatIsMissing(needs);
    console.log(`${name.padEnd(16)}${what}${missing === null ? "" : `. Can't run here: ${missing}`}`);
  }
  for (const { name, what } of drillPrograms) console.log(`${name.padEnd(16)}${what}`);
}

/** Returns the exit code. */
async function runAll(names: readonly string[]): Promise<number> {
  const chosen = names.includes("all") ? [...drills, ...drillPrograms] : names.map(drillOf);
  let missed = 0;
  for (const drill of chosen) if (!("file" in drill ? programPasses(drill) : await passes(drill))) missed += 1;
  if (chosen.length > 1) console.log(`\n${chosen.length - missed} of ${chosen.length} drills passed.`);
  return missed === 0 ? 0 : 1;
}

function drillOf(name: string): Drill | DrillProgram {
  const known = [...drills, ...drillPrograms];
  const found = known.find((drill) => drill.name === name);
  if (found) return found;
  console.error(`There is no drill "${name}". There are: ${known.map((drill) => drill.name).join(", ")}, and all.`);
  process.exit(1);
}

function programPasses({ name, what, file }: DrillProgram): boolean {
  console.log(`\n${name}: ${what}`);
  const isPassed = spawnSync(process.execPath, [file], { stdio: "inherit" }).status === 0;
  console.log(`  ${isPassed ? "passed" : "MISSED"}`);
  return isPassed;
}

async function passes(drill: Drill): Promise<boolean> {
  console.log(`\n${drill.name}: ${drill.what}`);
  const missing = whatIsMissing(drill.needs);
  if (missing !== null) {
    console.log(`  not run: ${missing}`);
    return false;
  }
  const folder = mkdtempSync(join(tmpdir(), "farthing-drill-"));
  chmodSync(folder, 0o755); // PostgreSQL runs under another account where root runs this
  const began = performance.now();
  try {
    const figures = await drill.run({
      folder,
      port: Number(values.port),
      connections: Number(values.connections),
      isSmall: values.small,
      from: values.from,
      tell: (line) => console.log(`  ${line}`),
    });
    const misses = missesOf(figures, drill.mark);
    for (const note of figures.notes) console.log(`  ${note}`);
    console.log(`  ${describeFigures(figures)}`);
    console.log(`  mark: ${describeMark(drill.mark)}`);
    for (const miss of misses) console.log(`  missed: ${miss}`);
    console.log(`  ${misses.length === 0 ? "passed" : "MISSED"} after ${secondsSince(began)}`);
    return misses.length === 0;
  } catch (error) {
    console.error(error);
    console.log(`  BROKEN after ${secondsSince(began)}`);
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function secondsSince(began: number): string {
  return `${Math.round((performance.now() - began) / 1000)} s`;
}
