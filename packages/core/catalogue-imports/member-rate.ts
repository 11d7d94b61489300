import { percentOf, type BasisPoints, type Pence } from "../money/money.ts";

/**
 * What a member earns of what the network pays (product.md C5): the network's commission times the share it passes on,
 * rounded down so that the club never promises more than it gets: percentages to 5 basis points, amounts to whole pence.
 */

/** A network's percentage (750 = 7.5 %) at a member's share (8000 = 80 %): 600. */
export function memberRateBp(network: BasisPoints, share: BasisPoints): BasisPoints {
  return Math.floor(percentOf(network, share) / 5) * 5;
}

/** A network's fixed amount at a member's share, in whole pence. */
export function memberRatePence(network: Pence, share: BasisPoints): Pence {
  return percentOf(network, share);
}
