import { z } from "zod";
import { isInRange, thresholds, type ThresholdKey } from "./rules.ts";

/** What operators set of a threshold. */
export interface ThresholdStatement {
  /** Of the whole club; null: the default. */
  club: number | null;
  /** Of brands that differ, by slug. */
  brands: Record<string, number>;
}

/** Returns the schema of a threshold's value as it is typed: a whole number of its range, or nothing. */
export function thresholdField(key: ThresholdKey) {
  const { min, max, unit } = thresholds[key];
  const fault = `Give a whole number from ${min} to ${max} (${unit}), or nothing.`;
  return z
    .string()
    .max(20, fault)
    .transform((text, context): number | null => {
      const typed = text.trim();
      if (typed === "") return null;
      const value = /^\d{1,9}$/.test(typed) ? Number(typed) : null;
      if (isInRange(key, value)) return value;
      context.addIssue({ code: "custom", message: fault });
      return z.NEVER;
    });
}
