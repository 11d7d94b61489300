import type { ThresholdStatement } from "./schema.ts";

type State = Record<string, unknown> | null;

/**
 * Returns what a change of a threshold has replaced, from its entry in the log; null: the entry is of no change. What can't be used
 * any more is refused where it is written back.
 */
export function oldThreshold({ before, after }: { before: State; after: State }): ThresholdStatement | null {
  if (after === null) return null;
  const club = before?.["club_value"];
  const brands = before?.["brand_values"];
  return {
    club: typeof club === "number" ? club : null,
    brands: (typeof brands === "object" && brands !== null ? brands : {}) as Record<string, number>,
  };
}
