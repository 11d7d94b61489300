/**
 * The club as a partner of its own (G1, decision 041): its pages frame the gift-card portal with the same tokens,
 * messages and limits as any partner's. There is one in each deployment.
 */
export const HOUSE_PARTNER = { publicId: "farthing-house", name: "The club itself" } as const;

/** Returns whether the page around a frame is the club's own: the portal then wears the brand's look. */
export function isAtHome({ partner }: { partner: { publicId: string } }): boolean {
  return partner.publicId === HOUSE_PARTNER.publicId;
}
