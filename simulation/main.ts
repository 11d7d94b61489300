// npm run simulate [-- --months 18 --members 400 --seed 1 --kills 20 --smoke --shuffled --breaks [words of a rule] --report file.html]
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureAppsBuilt } from "../bin/site-build.mjs";
import { ensureWidgetBuilt } from "../bin/widget-build.mjs";
import { shuffledPasses } from "./breaks/breaks.ts";
import { runBreaks } from "./breaks/run-breaks.ts";
import { proofsOf, reportPage } from "./report/report-page.ts";
import { simulate, type Result } from "./run.ts";
import { fullScale, smokeScale, type Scale } from "./scale.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    months: { type: "string" },
    members: { type: "string" },
    seed: { type: "string" },
    kills: { type: "string" },
    smoke: { type: "boolean", default: false },
    shuffled: { type: "boolean", default: false },
    breaks: { type: "boolean", default: false },
    report: { type: "string", default: ".cache/simulation/report.html" },
  },
});

function wholeNumber(name: "months" | "members" | "seed" | "kills", min: number, fallback: number): number {
  const text = values[name];
  if (text === undefined) return fallback;
  if (/^\d{1,6}$/.test(text) && Number(text) >= min) return Number(text);
  throw new RangeError(`--${name} must be a whole number from ${min} on, not ${text}.`);
}

function scaleOf(base: Scale): Scale {
  return {
    ...base,
    months: wholeNumber("months", 1, base.months),
    members: wholeNumber("members", 1, base.members),
    seed: wholeNumber("seed", 0, base.seed),
    kills: wholeNumber("kills", 0, base.kills),
  };
}

function printResult(result: Result): void {
  const rows = [
    ...proofsOf(result).map(({ name, faults, proved }) => [name, `${faults} faults`, proved]),
    ["The club’s own check of its books", "", result.ledgerCheck],
    [
      "Killed",
      "",
      `server ${result.tally.kills.app}, PostgreSQL ${result.tally.kills.database}, commands ${result.tally.kills.operator}`,
    ],
    [
      "Took",
      "",
      `${Math.floor(result.seconds / 60)} min ${Math.round(result.seconds % 60)} s; fingerprint ${result.fingerprint}`,
    ],
    [
      "of these",
      "",
      [...result.parts]
        .sort(([, a], [, b]) => b - a)
        .map(([part, seconds]) => `${part} ${seconds.toFixed(1)} s`)
        .join(", "),
    ],
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  console.log("");
  for (const [name = "", faults = "", proved = ""] of rows)
    console.log(`${name.padEnd(widths[0]!)}  ${faults.padStart(widths[1]!)}  ${proved}`);
  console.log("\nMischief:");
  for (const [what, times] of [...result.tally.counts].sort(([, a], [, b]) => b - a))
    console.log(`${String(times).padStart(6)}  ${what}`);
  for (const { what, text } of result.differences.slice(0, 50)) console.log(`  ${what}: ${text}`);
}

await ensureAppsBuilt();
await ensureWidgetBuilt();
if (values.breaks) {
  const caught = await runBreaks(scaleOf({ ...smokeScale, kills: 0 }), console.log, positionals.join(" ") || undefined);
  const missed = caught.filter(({ by }) => by === null).length;
  console.log(`\n${caught.length - missed} of ${caught.length} broken rules were caught.`);
  if (missed > 0) process.exitCode = 1;
} else {
  const result = await simulate(scaleOf(values.smoke ? smokeScale : fullScale), {
    tell: console.log,
    faults: values.shuffled ? [shuffledPasses] : [],
  });
  const path = resolve(values.report);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, reportPage(result));
  printResult(result);
  console.log(`\nReport: ${path}`);
  if (result.differences.length > 0) process.exitCode = 1;
}
