import { z } from "zod";
import { parsePercent, type BasisPoints } from "../money/money.ts";

/** The member's share of a network's commission as operators type it (C5): from 1 % to 100 %. Pure. */

const MIN_SHARE: BasisPoints = 100;

/** Reads a percentage as a person types it: `75`, `72.5 %`. Returns basis points; null for anything else: more than two decimals, below 1 or above 100. */
export function parseShare(text: string): BasisPoints | null {
  const share = parsePercent(text);
  return share !== null && share >= MIN_SHARE ? share : null;
}

/** Returns a share as the form shows it: `75`, `72.5`. */
export const decimalShare = (share: BasisPoints) => String(share / 100);

export const memberShareSchema = z.object({
  share: z.string().transform((text, context): BasisPoints => {
    const share = parseShare(text);
    if (share !== null) return share;
    context.addIssue("Enter a percentage from 1 to 100 with at most two decimals, such as 75 or 72.5.");
    return z.NEVER;
  }),
});
