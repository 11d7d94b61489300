import type { ReportRange } from "./reader.ts";
import { addDays } from "./rules.ts";

/** A row among the first, and the highest bound of those that were not counted: null where all were. */
export interface Bounded {
  next: number | null;
}

/**
 * Returns the `max` rows with the highest values of a range, having counted only those with the highest bounds: a bound is known without counting, and no
 * value is above its bound. `tries` says how many times `max` are counted: first, and where that does not settle it. `read` counts the `count` with the highest bounds and returns the first `max` of them, with the highest bound of the others. Null:
 * too many are as high as each other, and all have to be counted. Popular offers are few, so that is rare (bench/telemetry/volume.ts).
 */
export async function firstByBound<Row extends Bounded>({
  max,
  tries,
  read,
  valueOf,
}: {
  max: number;
  tries: readonly number[];
  read(count: number): Promise<Row[]>;
  valueOf(row: Row): number;
}): Promise<Row[] | null> {
  for (const times of tries) {
    const rows = await read(max * times);
    const [first] = rows;
    const last = rows[max - 1];
    // One that was not counted and has as many might come first by its name.
    if (first && (first.next === null || (last && valueOf(last) > first.next))) return rows;
  }
  return null;
}

/** Returns the row alone. */
export function unbounded<Row extends Bounded>(row: Row): Omit<Row, "next"> {
  const { next: _next, ...rest } = row;
  return rest;
}

/** Up to this many days, counting all is as fast as reading the bounds of their months. */
const SHORT_DAYS = 7;

/** Returns whether a range has so few days that its offers are better counted at once. */
export function isShort({ from, to }: Pick<ReportRange, "from" | "to">): boolean {
  return to < addDays(from, SHORT_DAYS);
}
