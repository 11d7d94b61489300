import type { Favourite, FavouriteKey } from "@farthing/core/favourites/schema.ts";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from "react";

interface Favourites {
  has(key: FavouriteKey): boolean;
  /** Sets or takes away; null where nobody is signed in, so that the form goes to the login. */
  change: ((key: FavouriteKey, isWanted: boolean) => void) | null;
}

const FavouritesContext = createContext<Favourites>({ has: () => false, change: null });

/** The one form that every heart of a page belongs to. */
export const favouritesFormId = "favourites-form";

/**
 * Which hearts are full. All hearts of a page share one form, so that a card carries a single button and works without script; with it, the
 * heart fills at once and the form goes out behind the scenes. What can't be done there is done by the form itself: it leads to the login, or says
 * what went wrong.
 */
export function FavouritesProvider({
  kept,
  address,
  children,
}: {
  kept: FavouriteKey[] | null;
  /** Where the form comes back to: the page's own address. */
  address: string;
  children: ReactNode;
}) {
  const [keys, setKeys] = useState(() => new Set(kept));
  const [isLost, setLost] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isSignedIn = kept !== null;

  const change = useCallback((key: FavouriteKey, isWanted: boolean) => {
    const turn = (on: boolean) =>
      setKeys((before) => {
        const after = new Set(before);
        if (on) after.add(key);
        else after.delete(key);
        return after;
      });
    turn(isWanted);
    setLost(false);
    void send(key, isWanted).then((outcome) => {
      if (outcome === "done") return;
      turn(!isWanted);
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
      <form id={favouritesFormId} ref={form} method="post" action="/favourites" hidden>
        <input type="hidden" name="next" value={address} />
      </form>
      <p role="status" className={isLost ? "favourites-lost" : "visually-hidden"}>
        {isLost && "That was not saved: we could not be reached. Check your connection and press the heart again."}
      </p>
    </FavouritesContext>
  );
}

/** `refused`: the answer was not the one hoped for, and the form will show why. `lost`: there was none. */
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
