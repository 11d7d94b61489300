import type { OfferPage } from "@farthing/core/catalogue/catalogue-view.ts";
import { revealCode } from "@farthing/core/reveals/operations.server.ts";
import { issueRevealToken } from "@farthing/core/reveals/token.ts";
import type { RouterContextProvider } from "react-router";
import type { SignedInMember } from "../../../server/site-handler.ts";
import { servicesContext, visitContext } from "../../site-context.ts";

/** What the offer page shows of its code. A `token` is fresh: it goes into the button, worth one reveal. */
export type RevealView =
  | { state: "sign-in" }
  /** `isPoolEmpty`: every code is given out; a member who has one of them may see it again. */
  | { state: "ready"; token: string; isPoolEmpty: boolean }
  | { state: "refused"; token: string }
  | { state: "shown"; code: string }
  | { state: "empty" };

interface RevealRequest {
  offer: OfferPage;
  variant: string | null;
  /** The reveal_code of the address, or null where it has none. */
  token: string | null;
}

/** The code of an offer for whoever asks (product.md O3, O4): null where there is none to reveal. */
export async function revealFor(
  context: Readonly<RouterContextProvider>,
  { offer, variant, token }: RevealRequest,
): Promise<RevealView | null> {
  const { brand, member } = context.get(visitContext);
  if (!offer.code) return null;
  if (!member) return offer.code.available ? { state: "sign-in" } : { state: "empty" };
  const { db, revealSecret: secret, now } = context.get(servicesContext);
  if (token === null)
    return { state: "ready", token: freshToken(context, member, offer), isPoolEmpty: !offer.code.available };
  const reveal = await revealCode(db, {
    secret,
    token,
    sessionId: member.sessionId,
    memberId: member.id,
    brandId: brand.id,
    offerPublicId: offer.publicId,
    variantPublicId: variant,
    now: now(),
  });
  switch (reveal.outcome) {
    case "revealed":
      return { state: "shown", code: reveal.code };
    case "refused":
      return { state: "refused", token: freshToken(context, member, offer) };
    case "pool-empty":
      return { state: "empty" };
    case "not-live":
    case "no-code":
      return null;
  }
}

function freshToken(context: Readonly<RouterContextProvider>, member: SignedInMember, offer: OfferPage): string {
  const { revealSecret: secret, now } = context.get(servicesContext);
  return issueRevealToken({ secret, sessionId: member.sessionId, offerId: offer.id, now: now() });
}
