/**
 * Filing a member's claim with a network that has an API for it (C7). Networks without one get a pack of CSV from an operator instead, so an
 * adapter provides this port only where the network does. An adapter stores nothing: the caller keeps the claim and calls again until it is answered.
 */
import type { DeclineReason } from "./decline-reason.ts";

/** What is wrong, in the terms that Impact and Partnerize share. */
export type NetworkClaimKind =
  /** The network has no sale at all. */
  | "untracked"
  /** It has the sale with a commission that is too small. */
  | "incorrect"
  /** It has declined the sale, and the member appeals. */
  | "declined";

export interface ClaimToFile {
  /**
   * Our own reference of this filing: 16 to 32 characters of A–Z, a–z, 0–9, "-" and "_", and nobody's name. The network returns it, so that a filing
   * that was interrupted is found again instead of being filed twice. An appeal against a declined claim has a reference of its own.
   */
  claimReference: string;
  kind: NetworkClaimKind;
  networkProgrammeId: string;
  /** The programme's own link at the network; null where the network's links need none. */
  programmeLink: string | null;
  /** The reference of the click that led to the purchase. */
  clickReference: string;
  /** The retailer's order number, as the member has it. */
  orderReference: string;
  purchasedAt: Date;
  /** ISO 4217; both amounts are in its minor units. */
  currency: string;
  saleMinor: number;
  /** The commission that the club expects; null where it is unknown. */
  expectedCommissionMinor: number | null;
  /** What the network should know, in plain text; nothing that identifies the member. */
  notes: string;
}

/** What is needed to find a filed claim again. */
export type FiledClaim = Pick<ClaimToFile, "claimReference" | "networkProgrammeId" | "orderReference">;

/** `incomplete`: the retailer asks for more before it decides. */
export type NetworkClaimState = "open" | "incomplete" | "accepted" | "declined";

export interface NetworkClaim {
  claimReference: string;
  /** The network's id; null while the network is still creating the claim. */
  networkClaimId: string | null;
  state: NetworkClaimState;
  /** Why it was declined, or what is missing, in the retailer's words; null where it says nothing. */
  answer: string | null;
  /** What the network's code or sentence for a decline means; null where it gives none, or one that is not known. */
  reason: DeclineReason | null;
  /** The sale that the network has created or found for it, as its report names it; null where it names none. */
  networkTransactionId: string | null;
  /** When the network approves it unless the retailer answers first; null where it does not say. */
  autoApprovesAt: Date | null;
}

export interface ClaimFiler {
  /** The slug of its row in `networks`. */
  readonly slug: string;

  /** Which kinds of claim the network accepts. */
  readonly kinds: readonly NetworkClaimKind[];

  /**
   * Files a claim, or returns it if it was filed before: calls may be repeated with the same `claimReference`.
   * @throws NetworkUnavailableError when the network does not answer: nothing is known, call again later.
   * @throws ClaimRefusedError when the network does not accept it as it is: calling again changes nothing.
   */
  fileClaim(claim: ClaimToFile): Promise<NetworkClaim>;

  /** Returns the claim as the network has it now; null where the network does not know it. @throws NetworkUnavailableError */
  readClaim(claim: FiledClaim): Promise<NetworkClaim | null>;
}

/** Thrown when a network refuses a claim for what it says. The message is ours: it repeats nothing that the network wrote. */
export class ClaimRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ClaimRefusedError";
  }
}
