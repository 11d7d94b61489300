import type { Verification } from "../verification-requests/rules.ts";

/** What stands on a member's card. */
export interface CardFacts {
  name: string;
  memberNumber: string;
  /** "Education", if it is known. */
  memberType: string | null;
  /** Null: without end. A renewal under way keeps the card good past it (complaints 8). */
  validUntil: Date | null;
  memberSince: Date;
}

export interface DigitalId {
  verification: Verification;
  card: CardFacts;
  /** Proof that somebody is looking at. */
  hasOpenRequest: boolean;
}

/** A device that may show the card of its session's member. */
export interface Device {
  id: string;
  handle: string;
}
