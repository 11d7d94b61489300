/**
 * Growth: the same club at 1, 10 and 100 times its size, and what a hundredfold costs. At each size: p50 and p99 of every kind of page, a click-out,
 * a network's report, payouts, a check of the ledger, the admin's statements, start, memory and disk, each beside plain indexed selects of the same
 * time. Prints the exponent of each, and names what grows faster than it may (verdicts.ts says how that is decided).
 * Run alone with: node bin/run.mjs bench/growth/run.ts [--sizes 1,10,100] [--requests 120] [--repeats 20] [--telemetry] [--write] [--smoke]
 * The largest size takes some 25 GB; `--telemetry` takes an hour and 25 GB more. `--write` writes charts and table into docs/operations. `--smoke` runs a
 * thousandth of the smallest and the largest size. Starts its own embedded PostgreSQL, with fsync on, in a temporary folder. Needs a built site and admin, and Linux.
 */
import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { isSmoke, report } from "../figures.ts";
import { measureSize } from "./measure-size.ts";
import { startGrowthServer } from "./server.ts";
import { readSizes, sizeAt } from "./sizes.ts";
import { growthTable } from "./table.ts";
import { compareSizes, type Growth, type Measured } from "./verdicts.ts";
import { writeResults } from "./write-results.ts";

const { values } = parseArgs({
  options: {
    sizes: { type: "string" },
    requests: { type: "string" },
    repeats: { type: "string" },
    telemetry: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    smoke: { type: "boolean", default: false },
  },
});
const isSmall = values.smoke || isSmoke;
const sizes = readSizes(values.sizes ?? (isSmall ? "1,100" : "1,10,100"));
const requests = Number(values.requests ?? (isSmall ? 2 : 120));
const repeats = Number(values.repeats ?? (isSmall ? 0 : 20));
if (![requests, repeats].every((count) => Number.isSafeInteger(count) && count >= 0) || requests === 0)
  throw new Error("--requests takes a whole number above 0, and --repeats one from 0 on.");
if (isSmall && values.write) throw new Error("A smoke run measures nothing: leave out --write or --smoke.");

const now = new Date();
const server = await startGrowthServer();
const found = new Map<number, Measured[]>();
try {
  for (const times of sizes) {
    const size = sizeAt(times, { isSmall });
    console.log(
      `${whole(size.offers)} offers, ${whole(size.members)} members, ${whole(size.clicks)} clicks, ${whole(size.entries)} ledger entries (${loadOfMachine()})`,
    );
    const measured: Measured[] = [];
    const tell = (line: string) => console.log(`  ${line}`);
    const options = { size, now, requests, repeats, isSmall, withTelemetry: values.telemetry, tell };
    for await (const one of measureSize(server, options)) measured.push(one);
    found.set(times, measured);
  }
} finally {
  await server.stop();
}
const growths = compareSizes(found);
console.log(`\n${growthTable(growths, sizes)}\n`);
if (values.write) writeResults(growths, { sizes, measuredAt: now, machine: machine() });
judge(growths);
if (isSmall) process.exitCode = 0; // its figures mean nothing

function judge(all: readonly Growth[]): void {
  const growing = all.filter(({ verdict }) => verdict === "grows");
  for (const allowed of ["logarithm", "proportion"] as const) {
    const names = growing.filter((one) => one.allowed === allowed).map(({ name }) => name);
    report({
      what:
        allowed === "logarithm"
          ? "what people wait for, and work of a fixed size, growing faster than the logarithm"
          : "what looks at the whole club, growing faster than in proportion",
      value: names.length,
      unit: "",
      target: { atMost: 0 },
    });
    for (const name of names) console.log(`  ${name}`);
  }
}

function machine(): string {
  return `${availableParallelism()} processors (${cpus()[0]?.model ?? "unknown"})`;
}

/** Other programs make every figure longer: what the figures are worth. */
function loadOfMachine(): string {
  return `${machine()}, load of the last minute ${loadavg()[0]!.toFixed(1)}`;
}

function whole(count: number): string {
  return count.toLocaleString("en-GB");
}
