import type { ReasonCode } from "./reasons.ts";
import type { Verification } from "./rules.ts";
import type { Drawing } from "./schema.ts";

/** What a member sees of their proof of membership. */
export interface VerificationView {
  verification: Verification;
  verifiedUntil: Date | null;
  maySubmit: boolean;
  /** What is being looked at. */
  open: { submittedAt: Date; proofName: string | null; file: OwnFile | null } | null;
  /** The last refusal, while nothing newer has come. */
  refusal: { reason: ReasonCode; note: string | null; decidedAt: Date } | null;
  kinds: ProofKind[];
  /** As examples of addresses at work that are taken; empty: this way is not open to the member. */
  workDomains: string[];
  memberType: string | null;
  memberStatus: string | null;
  /** Files of theirs that are gone, last first. */
  deletions: { deletedAt: Date; receivedAt: Date }[];
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
