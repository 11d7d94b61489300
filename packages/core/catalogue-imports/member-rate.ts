import { percentOf, type BasisPoints, type Pence } from "../money/money.ts";

/**
 * The member's rate (C5) is the network's commission times the member's share, rounded down so that the club never promises more than it gets:
 * percentages to 5 basis points, amounts to whole pence.
 */

/** Returns the member's rate for a percentage: 600 for a network's 750 (7.5 %) at a share of 8000 (80 %). */
export function memberRateBp(network: BasisPoints, share: BasisPoints): BasisPoints {
  return Math.floor(percentOf(network, share) / 5) * 5;
}

/** Returns the member's amount for a network's fixed amount, in whole pence. */
export function memberRatePence(network: Pence, share: BasisPoints): Pence {
  return percentOf(network, share);
}
