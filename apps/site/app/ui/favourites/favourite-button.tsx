import type { Favourite, FavouriteKey } from "@farthing/core/favourites/schema.ts";
import { use } from "react";
import { FAVOURITES_FORM_ID, FavouritesContext } from "./favourites.tsx";

/**
 * The heart of an offer or a retailer, or the bell of a rate alert (D10): a toggle that posts to /favourites, in the
 * background where there is script (favourite-button.behaviour.ts). Screen readers announce `name`. With `hasWords` the
 * button shows its label beside the icon.
 */
export function FavouriteButton({
  kind,
  id,
  name,
  hasWords = false,
}: Favourite & { name: string; hasWords?: boolean }) {
  const key: FavouriteKey = `${kind}/${id}`;
  const favourites = use(FavouritesContext);
  if (!favourites) return null;
  const isFavourite = favourites.has(key);
  const words = kind === "alert" ? "Tell me when it rises" : "Favourite";
  return (
    <button
      type="submit"
      form={FAVOURITES_FORM_ID}
      name={isFavourite ? "remove" : "add"}
      value={key}
      className={`favourite-button is-${kind}${hasWords ? " has-words" : ""}`}
      aria-pressed={isFavourite}
      aria-label={`${words}: ${kind === "alert" ? `cashback at ${name}` : name}`}
    >
      {hasWords && words}
    </button>
  );
}
