import { countBasket } from "@farthing/core/gift-cards/basket.server.ts";
import { isAtHome } from "@farthing/core/partners/house-partner.ts";
import { data, type RouterContextProvider } from "react-router";
import { servicesContext, visitContext } from "../../site-context.ts";

/**
 * Returns the visitor of a portal page with what its loaders and actions need. Only a frame with a widget session has
 * the portal: anyone else gets 401.
 */
export function portalVisit(context: Readonly<RouterContextProvider>) {
  const { widget } = context.get(visitContext);
  if (!widget) throw data(null, 401);
  const { db, now, giftCards } = context.get(servicesContext);
  const member = widget.member ?? null;
  const { sessionId } = widget;
  /** The page around the frame is the club's own. */
  const isHome = isAtHome(widget);
  const viewer = { sessionId, memberId: member?.id ?? null };
  return { db, now: now(), giftCards, sessionId, member, viewer, isTest: widget.mode === "test", isHome };
}

/** Returns what every page of the portal shows around its content. */
export async function portalFrame({ db, sessionId, isTest, isHome }: ReturnType<typeof portalVisit>) {
  return { inBasket: await countBasket(db, { sessionId }), isTest, isHome };
}

export type PortalFrame = Awaited<ReturnType<typeof portalFrame>>;
