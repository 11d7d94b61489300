import type { ReasonCode } from "./reasons.ts";
import type { Verification } from "./rules.ts";
import type { Drawing } from "./schema.ts";

/** What a member sees of their proof of membership. */
export interface VerificationView {
  verification: Verification;
  verifiedUntil: Date | null;
  maySubmit: boolean;
  /** The request that waits for a decision. */
  open: { submittedAt: Date; proofName: string | null; file: OwnFile | null } | null;
  /** The last rejection, until there is newer proof. */
  refusal: { reason: ReasonCode; note: string | null; decidedAt: Date } | null;
  kinds: ProofKind[];
  /** Examples of accepted work addresses; empty if the member can't use one. */
  workDomains: string[];
  memberType: string | null;
  memberStatus: string | null;
  /** The member's deleted files, latest first. */
  deletions: { deletedAt: Date; receivedAt: Date }[];
}

/** What a member is to be told of their membership at the top of their account. */
export interface StandingView extends Pick<VerificationView, "verification" | "verifiedUntil" | "maySubmit"> {
  /** Whether a request waits for a decision. */
  isSubmitted: boolean;
  /** The reason of the last rejection, until there is newer proof. */
  refusedFor: ReasonCode | null;
  /** Whether the member is leaving: a closure is under way. */
  isClosing: boolean;
}

export interface OwnFile {
  publicId: string;
  originalName: string;
  size: number;
}

export interface ProofKind {
  slug: string;
  name: string;
  help: string;
  shows: string[];
  hides: string;
  drawing: Drawing;
}
