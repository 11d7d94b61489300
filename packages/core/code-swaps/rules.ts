/** The rules for swapping a member's own code for another of its pool (O4). Pure. */

import { fromLondon, toLondon } from "../catalogue/london-time.ts";

/** Why a member wants another code; the first is the most frequent. */
export const swapReasons = ["cancelled", "refused", "lost"] as const;
export type SwapReason = (typeof swapReasons)[number];

/** How a member chooses the reason. */
export const swapReasonLabels: Record<SwapReason, string> = {
  cancelled: "My order was cancelled",
  refused: "The shop refused it",
  lost: "It was shown, and I lost it",
};

/** Why a code is void, as the end of a sentence. */
export const swapReasonWords: Record<SwapReason, string> = {
  cancelled: "the order was cancelled",
  refused: "the shop refused it",
  lost: "it was lost",
};

/**
 * A member swaps one code of an offer in this many days. Whoever needs more asks the club: otherwise a member could empty
 * a pool.
 */
export const SWAP_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Returns when a member may swap a code of the offer again, which is the beginning of a day in London, as pages name only the day; null for now.
 * @param lastSwapAt the latest swap of a code of this offer, by the member or by an operator for them
 */
export function nextSwapAt(lastSwapAt: Date | null, now: Date): Date | null {
  if (lastSwapAt === null) return null;
  const moment = new Date(lastSwapAt.getTime() + SWAP_DAYS * DAY_MS);
  const next = fromLondon(`${toLondon(moment).slice(0, 10)}T00:00`) ?? moment;
  return next > now ? next : null;
}
