import type { Favourite } from "@farthing/core/favourites/schema.ts";
import type { MouseEvent } from "react";
import { FAVOURITES_FORM_ID, useFavourite } from "./favourites.tsx";

/**
 * The heart of an offer or a retailer, or the bell of a rate alert (D10): a toggle that posts to /favourites. Screen
 * readers announce `name`. With `hasWords` the button shows its label beside the icon.
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
    if (!change) return; // signed out: the form leads to the login
    event.preventDefault();
    change(key, !isFavourite);
  }

  return (
    <button
      type="submit"
      form={FAVOURITES_FORM_ID}
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
