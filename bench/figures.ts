import { appendFileSync } from "node:fs";

/** One result of a benchmark, with its target. */
export interface Figure {
  what: string;
  value: number;
  unit: string;
  target: { atLeast: number } | { atMost: number };
}

/** Whether this is a smoke run (`npm run bench -- --smoke`): sizes are tiny and figures mean nothing. */
export const isSmoke = process.env["BENCH_SMOKE"] === "1";

export function isMet({ value, target }: Figure): boolean {
  return "atLeast" in target ? value >= target.atLeast : value <= target.atMost;
}

/**
 * Prints a figure, and passes it to `npm run bench` for its table (a line of JSON in the file named by BENCH_FIGURES). A missed target makes the
 * benchmark's exit code 1, except in a smoke run.
 */
export function report(figure: Figure): void {
  const { what, value, unit, target } = figure;
  const met = isMet(figure);
  const wanted = "atLeast" in target ? `at least ${target.atLeast}` : `at most ${target.atMost}`;
  console.log(
    `${met ? "met " : "MISSED"} ${what}: ${`${rounded(value)} ${unit}`.trim()} (${`${wanted} ${unit}`.trim()})`,
  );
  const file = process.env["BENCH_FIGURES"];
  if (file) appendFileSync(file, `${JSON.stringify({ ...figure, value: rounded(value), isMet: met })}\n`);
  if (!met && !isSmoke) process.exitCode = 1;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
