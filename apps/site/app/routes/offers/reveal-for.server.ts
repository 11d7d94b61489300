import type { OfferPage } from "@farthing/core/catalogue/catalogue-view.ts";
import type { RouterContextProvider } from "react-router";
import { visitContext } from "../../site-context.ts";

/** What the offer page shows of its code. A `token` is fresh: it goes into the button. */
export type RevealView = { state: "sign-in" } | { state: "ready"; token: string } | { state: "refused"; token: string } | { state: "shown"; code: string } | { state: "empty" };

export async function revealFor(context: Readonly<RouterContextProvider>, { offer, token }: { offer: OfferPage; variant: string | null; token: string | null }): Promise<RevealView | null> {
  const { member } = context.get(visitContext);
  if (!offer.code) return null;
  if (!member) return { state: "sign-in" };
  if (!offer.code.available) return { state: "empty" };
  if (token === null) return { state: "ready", token: "tok" };
  return token === "tok" ? { state: "shown", code: "CHALK15" } : { state: "refused", token: "tok" };
}
