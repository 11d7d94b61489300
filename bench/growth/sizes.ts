import type { ClubSize } from "../admin/row-counts.ts";

/** A club of the comparison. */
export interface GrowthSize extends Required<ClubSize> {
  /** How many times the smallest club. */
  times: number;
  /** Telemetry events, made with `--telemetry` only. */
  events: number;
}

const SMALLEST = { offers: 1_000, members: 10_000, clicks: 100_000, entries: 100_000, events: 1_000_000 };
/** What bench/admin can make at least: below, a list would lack its kinds of rows. */
const LEAST = { offers: 100, members: 400, clicks: 2_000, entries: 2_000, events: 3_000 };

/** Returns the club that is `times` the smallest one; for a smoke run a thousandth of it, as far as such a club can be made. */
export function sizeAt(times: number, { isSmall }: { isSmall: boolean }): GrowthSize {
  const share = isSmall ? times / 1_000 : times;
  const of = (what: keyof typeof SMALLEST) => Math.max(LEAST[what], Math.round(SMALLEST[what] * share));
  return {
    times,
    ...{ offers: of("offers"), members: of("members"), clicks: of("clicks"), entries: of("entries") },
    events: of("events"),
  };
}

/** Reads `--sizes`. @throws Error with what to pass */
export function readSizes(text: string): number[] {
  const sizes = text.split(",").map(Number);
  if (sizes.length < 2 || !sizes.every((one, index) => one > 0 && (index === 0 || one > sizes[index - 1]!)))
    throw new Error("--sizes takes at least two numbers above 0, each greater than the one before, such as 1,10,100.");
  return sizes;
}
