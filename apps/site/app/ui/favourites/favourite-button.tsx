import type { Favourite, FavouriteKey } from "@farthing/core/favourites/schema.ts";
import { use } from "react";
import { FAVOURITES_FORM_ID, FavouritesContext } from "./favourites.tsx";

/**
 * The heart of an offer or a retailer, or the bell of a rate alert (D10): a toggle that posts to /favourites, in the
 * background where there is script (favourite-button.behaviour.ts). Screen readers announce `name`. With `hasWords` the
 * button shows its label beside the icon; the label of a bell says what holds, and what a press does.
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
  if (kind === "alert") return <AlertButton {...{ value: key, isOn: isFavourite, name }} />;
  return (
    <button
      type="submit"
      form={FAVOURITES_FORM_ID}
      name={isFavourite ? "remove" : "add"}
      value={key}
      className={`favourite-button is-${kind}${hasWords ? " has-words" : ""}`}
      aria-pressed={isFavourite}
      aria-label={`Favourite: ${name}`}
    >
      {hasWords && "Favourite"}
    </button>
  );
}

function AlertButton({ value, isOn, name }: { value: FavouriteKey; isOn: boolean; name: string }) {
  return (
    <button
      type="submit"
      form={FAVOURITES_FORM_ID}
      name={isOn ? "remove" : "add"}
      value={value}
      className="favourite-button is-alert has-words"
      aria-pressed={isOn}
    >
      <span className="when-off">Tell me when it rises</span>
      <span className="when-on">
        You’ll hear when it rises <span className="favourite-stop">Stop</span>
      </span>
      <span className="visually-hidden">: cashback at {name}</span>
    </button>
  );
}
