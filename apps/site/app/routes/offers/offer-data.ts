import type { Brand } from "@farthing/core/brands/brand.ts";
import type { OfferPage } from "@farthing/core/catalogue/catalogue-view.ts";
import type { VoteToday } from "@farthing/core/votes/queries.server.ts";
import type { OwnPageVariables } from "../../../server/page-variables.ts";
import type { PageLink } from "../clicks/page-link.ts";
import type { RevealView } from "./reveal-for.server.ts";
import type { RefusedSwap } from "./swap-code.tsx";

/** What the page of an offer shows, where there is such an offer. */
export interface OfferData {
  found: true;
  offer: Omit<OfferPage, "id">;
  /** False: only an app has the offer, and this brand has none. Nothing of the brand lists it. */
  isForUs: boolean;
  /** The variant that is chosen, by its public id; null where the offer has none. */
  variant: string | null;
  /** Null where there is no code to reveal. */
  reveal: RevealView | null;
  /** What the member said today about the codes that they were shown. */
  votes: VoteToday[];
  /** Why the code that the member has just tried to swap is still theirs; null where they did not try. */
  refusedSwap: RefusedSwap | null;
  /** Where the app can be downloaded, for offers that only the app has. `qr` is an SVG path in a square of `size`. */
  app: { storeLinks: Brand["storeLinks"]; qr: { size: number; path: string } } | null;
  /** The page for another browser or device, where this one is checked before the shop opens; null where it is not. */
  pageLink: PageLink | null;
  sellsGiftCards: boolean;
  /** The page's address, without a reveal's token. */
  ownPath: string;
  now: Date;
  isSignedIn: boolean;
  brandName: string;
  pageVariables: OwnPageVariables;
}
