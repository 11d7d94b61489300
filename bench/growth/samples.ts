import { share } from "../admin/measure-pages.ts";
import type { Reference } from "./reference.ts";

/** What was measured of one thing at one size, in the order in which it was measured. */
export interface Samples {
  /** Milliseconds; megabytes where a size was measured. */
  values: readonly number[];
  /** Milliseconds of plain indexed selects that were sent between them. Empty: the values stand for themselves. */
  references: readonly number[];
}

/** What the samples come to. */
export interface Summary {
  p50: number;
  p99: number;
  /** The median in plain indexed selects of the same time; the median itself where there are none. */
  compared: number;
  comparedP99: number;
  /** `compared` of each third of the time: what lies between them is noise. */
  repeats: readonly number[];
}

/** Selects after each value: enough for a median beside three values. */
const REFERENCES = 5;
const PARTS = 3;

/**
 * Measures `work` `count` times, after `warmUp` times that do not count, with plain selects in between, so that both meet the same machine.
 * `before` runs before each time and is not measured.
 */
export async function sample(
  reference: Reference,
  { count, warmUp = 0, before = async () => {} }: { count: number; warmUp?: number; before?: () => Promise<void> },
  work: (turn: number) => Promise<unknown>,
): Promise<Samples> {
  const values: number[] = [];
  const references: number[] = [];
  for (let turn = 0; turn < warmUp + count; turn += 1) {
    await before();
    const from = performance.now();
    await work(turn);
    const ms = performance.now() - from;
    const selects = await reference.take(REFERENCES);
    if (turn < warmUp) continue;
    values.push(ms);
    references.push(...selects);
  }
  return { values, references };
}

export function summarise({ values, references }: Samples): Summary {
  const compare = (some: readonly number[], beside: readonly number[], part: number) =>
    share(some, part) / (beside.length > 0 ? share(beside, 0.5) : 1);
  const parts = values.length < PARTS ? 1 : PARTS;
  return {
    p50: share(values, 0.5),
    p99: share(values, 0.99),
    compared: compare(values, references, 0.5),
    comparedP99: compare(values, references, 0.99),
    repeats: Array.from({ length: parts }, (_, part) =>
      compare(partOf(values, part, parts), partOf(references, part, parts), 0.5),
    ),
  };
}

function partOf(list: readonly number[], part: number, parts: number): readonly number[] {
  return list.slice(Math.floor((list.length * part) / parts), Math.floor((list.length * (part + 1)) / parts));
}
