/** Who buys in a frame, and whose page is around it. Pure. */

/** The member that a partner's server has named for its visitor; a visitor without an account has none. */
export interface FrameMember {
  id: string;
  brandId: string;
}

/** Public id of the partner that stands for the club itself: its page around the portal is one of the club's own. */
export const CLUB_PARTNER_ID = "farthing-house";

/** Returns the member who buys in a widget session; null: a visitor. The one place that reads it from a session. */
export function buyerOf(session: object & { member?: FrameMember | null }): FrameMember | null {
  return session.member ?? null;
}

/** Returns whether the page around the frame is the club's own: the portal then wears the brand's look. */
export function isAtHome({ partner }: { partner: { publicId: string } }): boolean {
  return partner.publicId === CLUB_PARTNER_ID;
}
