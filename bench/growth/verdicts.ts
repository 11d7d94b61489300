import { summarise, type Samples, type Summary } from "./samples.ts";

/** Each group is a chart. */
export const groups = {
  visitors: "Pages of visitors",
  members: "Pages of members, and what their clicks wait for",
  work: "Work in the background",
  process: "Start of the process",
  sizes: "Memory and disk",
  admin: "The operators' admin, by its slowest statements",
  reports: "Reports from telemetry",
} as const;
export type Group = keyof typeof groups;

/**
 * How fast a figure may grow. `logarithm`: whatever a person waits for, and work of a fixed size. `proportion`: what looks at the whole club, and
 * nobody waits for it.
 */
export type Allowed = "logarithm" | "proportion";

/**
 * The greatest exponent of each. A tree of a hundred times the rows is 1.4 to 1.7 times as deep, an exponent of 0.07 to 0.11; at 0.15 the time
 * doubles while the club grows a hundredfold.
 */
export const MAX_EXPONENT: Readonly<Record<Allowed, number>> = { logarithm: 0.15, proportion: 1.1 };
/** A difference of fewer plain indexed selects is below what anybody notices or these measurements can tell. */
export const MIN_SELECTS = 2;

/** One thing at one size. */
export interface Measured {
  group: Group;
  name: string;
  unit: "ms" | "MB";
  allowed: Allowed;
  samples: Samples;
}

/** `flat`: within what is allowed. `noise`: the repeats of both sizes overlap, or the difference is too small to notice. `unknown`: not measured at both ends. */
export type Verdict = "flat" | "noise" | "grows" | "unknown";

/** One thing at all sizes. */
export interface Growth extends Omit<Measured, "samples"> {
  /** By times of the smallest club. */
  at: ReadonlyMap<number, Summary>;
  /** The slope of log value over log size from the smallest to the largest: 0 is flat, 1 is proportional. Null: not measured at both. */
  exponent: number | null;
  /** The same of p99, which is shown and not judged: of some hundred samples it is the second slowest. */
  tailExponent: number | null;
  verdict: Verdict;
}

/** Puts the sizes together, by name, in the order in which things were measured first. */
export function compareSizes(bySize: ReadonlyMap<number, readonly Measured[]>): Growth[] {
  const all = [...bySize].flatMap(([times, list]) => list.map((measured) => ({ times, ...measured })));
  const named = Map.groupBy(all, ({ group, name }) => `${group}/${name}`);
  const [first, last] = [Math.min(...bySize.keys()), Math.max(...bySize.keys())];
  return [...named.values()].map((list) => {
    const { group, name, unit, allowed } = list[0]!;
    const at = new Map(list.map(({ times, samples }) => [times, summarise(samples)]));
    return { group, name, unit, allowed, at, ...judge(at, { first, last, allowed, unit }) };
  });
}

function judge(
  at: ReadonlyMap<number, Summary>,
  { first, last, allowed, unit }: { first: number; last: number } & Pick<Measured, "allowed" | "unit">,
): Pick<Growth, "exponent" | "tailExponent" | "verdict"> {
  const [small, large] = [at.get(first), at.get(last)];
  if (!small || !large || first === last) return { exponent: null, tailExponent: null, verdict: "unknown" };
  const exponent = slope(small.compared, large.compared, last / first);
  const tailExponent = slope(small.comparedP99, large.comparedP99, last / first);
  return { exponent, tailExponent, verdict: verdictOf() };

  function verdictOf(): Verdict {
    if (exponent <= MAX_EXPONENT[allowed]) return "flat";
    const areRepeatsApart = Math.min(...large!.repeats) > Math.max(...small!.repeats);
    const isNoticed = unit !== "ms" || large!.compared - small!.compared > MIN_SELECTS;
    return areRepeatsApart && isNoticed ? "grows" : "noise";
  }
}

/** Values below this are taken for it, so that nothing is divided by zero. */
const LEAST = 1e-6;

function slope(small: number, large: number, times: number): number {
  return Math.log(Math.max(large, LEAST) / Math.max(small, LEAST)) / Math.log(times);
}
