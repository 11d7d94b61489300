import type { Favourite, FavouriteKey } from "@farthing/core/favourites/schema.ts";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from "react";

interface Favourites {
  has(key: FavouriteKey): boolean;
  /** Adds or removes a favourite; null for visitors, whose form leads to the login. */
  change: ((key: FavouriteKey, isWanted: boolean) => void) | null;
}

const FavouritesContext = createContext<Favourites>({ has: () => false, change: null });

/** The id of the one form that all favourite buttons of a page belong to. */
export const FAVOURITES_FORM_ID = "favourites-form";

/**
 * Provides the member's favourites to the buttons below it. All buttons of a page share one form, so that a card
 * carries a single button and works without script. With script, the heart fills at once and a request is sent in the
 * background; where that is refused, the form is submitted and its page says why.
 */
export function FavouritesProvider({
  kept,
  address,
  children,
}: {
  kept: FavouriteKey[] | null;
  /** The page's own address, to which the form returns. */
  address: string;
  children: ReactNode;
}) {
  const [keys, setKeys] = useState(() => new Set(kept));
  const [isLost, setLost] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isSignedIn = kept !== null;

  const change = useCallback((key: FavouriteKey, isWanted: boolean) => {
    const set = (on: boolean) =>
      setKeys((before) => {
        const after = new Set(before);
        if (on) after.add(key);
        else after.delete(key);
        return after;
      });
    set(isWanted);
    setLost(false);
    void send(key, isWanted).then((outcome) => {
      if (outcome === "done") return;
      set(!isWanted);
      if (outcome === "lost") setLost(true);
      else sendForm(form.current, key, isWanted);
    });
  }, []);
  const favourites = useMemo<Favourites>(
    () => ({ has: (key) => keys.has(key), change: isSignedIn ? change : null }),
    [keys, isSignedIn, change],
  );
  return (
    <FavouritesContext value={favourites}>
      {children}
      <form id={FAVOURITES_FORM_ID} ref={form} method="post" action="/favourites" hidden>
        <input type="hidden" name="next" value={address} />
      </form>
      <p role="status" className={isLost ? "favourites-lost" : "visually-hidden"}>
        {isLost && "That was not saved: we could not be reached. Check your connection and press the heart again."}
      </p>
    </FavouritesContext>
  );
}

/** Returns `refused` for any answer but 204, and `lost` where there was none. */
async function send(key: FavouriteKey, isWanted: boolean): Promise<"done" | "refused" | "lost"> {
  try {
    const { status } = await fetch("/favourites", {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams({ [isWanted ? "add" : "remove"]: key }),
      redirect: "manual",
      keepalive: true,
    });
    return status === 204 ? "done" : "refused";
  } catch {
    return "lost";
  }
}

function sendForm(form: HTMLFormElement | null, key: FavouriteKey, isWanted: boolean): void {
  if (!form) return;
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = isWanted ? "add" : "remove";
  field.value = key;
  form.append(field);
  form.submit();
}

export function useFavourite(favourite: Favourite): Favourites & { key: FavouriteKey; isFavourite: boolean } {
  const favourites = useContext(FavouritesContext);
  const key: FavouriteKey = `${favourite.kind}/${favourite.id}`;
  return { ...favourites, key, isFavourite: favourites.has(key) };
}
