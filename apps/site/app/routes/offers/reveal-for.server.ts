import type { OfferPage } from "@farthing/core/catalogue/catalogue-view.ts";
import { findOwnSwaps, type OwnSwaps } from "@farthing/core/code-swaps/queries.server.ts";
import { revealCode, type RevealOutcome } from "@farthing/core/reveals/operations.server.ts";
import { findNextReveal } from "@farthing/core/reveals/next-reveal.server.ts";
import { findSeenCodes, type SeenCode } from "@farthing/core/reveals/queries.server.ts";
import { issueRevealToken } from "@farthing/core/reveals/token.ts";
import type { RouterContextProvider } from "react-router";
import type { SignedInMember } from "../../../server/visit.ts";
import { servicesContext, visitContext } from "../../site-context.ts";

/** What the offer page shows of its code. Visitors never see a code, so their page may be shared. */
export type RevealView = { state: "sign-in" } | { state: "empty" } | MemberReveal;

export interface MemberReveal {
  state: "member";
  /** A fresh token for the button, good for one reveal. */
  token: string;
  /** The codes of this offer that the member has revealed, on any day and any device. */
  seen: ShownCode[];
  /** The outcome of the token in the address; null where the address has none. */
  answer: "shown" | "refused" | "pool-empty" | "too-many" | null;
  /** Whether every code has been given out. */
  isPoolEmpty: boolean;
  /** When the member may reveal another code; null for now. */
  nextRevealAt: Date | null;
  isVerified: boolean;
  /** What the member swapped of this offer, and whom to ask for more; null where no code is for one member alone. */
  swaps: (OwnSwaps & { contact: string }) | null;
}

export interface ShownCode extends Pick<SeenCode, "variant" | "code" | "revealedAt"> {
  /** False where the code has been replaced, withdrawn or made void since. */
  isCurrent: boolean;
  /** Whether the code is the member's alone, from a pool. */
  isOwn: boolean;
}

interface RevealRequest {
  offer: OfferPage;
  variant: string | null;
  /** The reveal_code of the address, or null where it has none. */
  token: string | null;
}

/**
 * Returns the code of an offer for this visitor or member (O3, O4); null where there is none to reveal. Codes that the
 * member has revealed before are shown without a token, and without spending one.
 */
export async function revealFor(
  context: Readonly<RouterContextProvider>,
  { offer, variant, token }: RevealRequest,
): Promise<RevealView | null> {
  const { brand, member } = context.get(visitContext);
  if (!offer.code) return null;
  if (!member) return offer.code.available ? { state: "sign-in" } : { state: "empty" };
  const { db, revealSecret: secret, now: clock } = context.get(servicesContext);
  const now = clock();
  let seen = await findSeenCodes(db, { memberId: member.id, offerId: offer.id });
  const isShown = () => seen.some((code) => code.variant === variant && code.codeKind !== null);

  let outcome: RevealOutcome["outcome"] | null = null;
  if (token !== null && !isShown()) {
    ({ outcome } = await revealWith(context, member, { offer, variant, token }));
    if (outcome === "not-live" || outcome === "no-code") return null;
    if (outcome === "revealed") seen = await findSeenCodes(db, { memberId: member.id, offerId: offer.id });
  }
  const { verification } = member;
  const swaps =
    offer.code.codeKind === "pool" && seen.length > 0
      ? await findOwnSwaps(db, { memberId: member.id, offerId: offer.id, now })
      : null;
  return {
    state: "member",
    token: issueRevealToken({ secret, sessionId: member.sessionId, offerId: offer.id, now }),
    seen: seen.map(({ codeKind, ...code }) => ({ ...code, isCurrent: codeKind !== null, isOwn: codeKind === "pool" })),
    answer: token === null ? null : outcome === null || outcome === "revealed" ? "shown" : outcome,
    isPoolEmpty: outcome === "pool-empty" || !offer.code.available,
    nextRevealAt: await findNextReveal(db, { memberId: member.id, verification, now }),
    isVerified: verification === "verified",
    swaps: swaps && { ...swaps, contact: brand.supportEmail },
  };
}

function revealWith(
  context: Readonly<RouterContextProvider>,
  member: SignedInMember,
  { offer, variant, token }: RevealRequest,
): Promise<RevealOutcome> {
  const { brand } = context.get(visitContext);
  const { db, revealSecret: secret, now } = context.get(servicesContext);
  return revealCode(db, {
    secret,
    token,
    sessionId: member.sessionId,
    memberId: member.id,
    brandId: brand.id,
    offerPublicId: offer.publicId,
    variantPublicId: variant,
    now: now(),
  });
}
