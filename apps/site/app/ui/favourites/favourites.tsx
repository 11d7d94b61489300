import type { FavouriteKey } from "@farthing/core/favourites/schema.ts";
import { createContext, type ReactNode } from "react";

/** The favourites of the member, or none. Known on the server only. Null in a partner's frame, which has no buttons. */
export const FavouritesContext = createContext<ReadonlySet<FavouriteKey> | null>(new Set());

/** The id of the one form that all favourite buttons of a page belong to. */
export const FAVOURITES_FORM_ID = "favourites-form";

/**
 * Provides the member's favourites to the buttons below it. All buttons of a page share one form, so that a card
 * carries a single button and works without script. With script, favourite-button.behaviour.ts sends requests in the
 * background, and shows the message.
 */
export function FavouritesProvider({
  kept,
  address,
  children,
}: {
  /** Null for visitors, whose form leads to the login. */
  kept: readonly FavouriteKey[] | null;
  /** The page's own address, to which the form returns. */
  address: string;
  children: ReactNode;
}) {
  return (
    <FavouritesContext value={new Set(kept)}>
      {children}
      <form
        id={FAVOURITES_FORM_ID}
        method="post"
        action="/favourites"
        data-signed-in={kept === null ? undefined : ""}
        hidden
      >
        <input type="hidden" name="next" value={address} />
      </form>
      <p role="status" className="visually-hidden" />
    </FavouritesContext>
  );
}
