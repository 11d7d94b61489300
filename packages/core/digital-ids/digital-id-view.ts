import type { Verification } from "../verification-requests/rules.ts";

/** The content of a member's card. */
export interface CardFacts {
  name: string;
  memberNumber: string;
  /** Such as "Education", if it is known. */
  memberType: string | null;
  /** Null: no end. A pending renewal keeps the card valid after its end (M4). */
  validUntil: Date | null;
  memberSince: Date;
}

export interface DigitalId {
  verification: Verification;
  card: CardFacts;
  /** Proof that waits for a decision. */
  hasOpenRequest: boolean;
}

/** A device that may show the card of its session's member. */
export interface Device {
  id: string;
  handle: string;
}
