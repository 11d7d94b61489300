import type { Favourite } from "@farthing/core/favourites/schema.ts";
import type { MouseEvent } from "react";
import { favouritesFormId, useFavourite } from "./favourites.tsx";

/**
 * The heart of an offer or a retailer, or the bell of an alert for its rate (product.md D10): a toggle that posts to /favourites. `name` says which one
 * it is, for whoever can't see the card around it. `hasWords`: with words beside it, where there is room.
 */
export function FavouriteButton({
  kind,
  id,
  name,
  hasWords = false,
}: Favourite & { name: string; hasWords?: boolean }) {
  const { key, isFavourite, change } = useFavourite({ kind, id });
  const words = kind === "alert" ? "Tell me when it rises" : "Favourite";

  function click(event: MouseEvent<HTMLButtonElement>) {
    if (!change) return; // the form leads to the login
    event.preventDefault();
    change(key, !isFavourite);
  }

  return (
    <button
      type="submit"
      form={favouritesFormId}
      name={isFavourite ? "remove" : "add"}
      value={key}
      className={`favourite-button is-${kind}${hasWords ? " has-words" : ""}`}
      aria-pressed={isFavourite}
      aria-label={`${words}: ${kind === "alert" ? `cashback at ${name}` : name}`}
      onClick={click}
    >
      {hasWords && words}
    </button>
  );
}
