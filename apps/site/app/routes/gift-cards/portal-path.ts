import { PORTAL_PATH } from "@farthing/widget/gift-cards";

/**
 * Returns the portal's path that the gift-card page opens: an order, the card of a retailer, or the start. Both values
 * have passed the page's parameters (pages.ts), so neither can leave the portal.
 */
export function portalPath({ order, retailer }: { order: string | null; retailer: string | null }): string {
  if (order !== null) return `${PORTAL_PATH}/orders/${order}`;
  return retailer === null ? PORTAL_PATH : `${PORTAL_PATH}/cards/${retailer}`;
}
