import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import { useEffect } from "react";
import { lazyChunks } from "../../lazy-chunks.ts";
import { keptCardMark } from "./kept-card-mark.ts";

/** Time for the page to be used first. */
const afterMs = 1_500;

/**
 * On every page, once it is at rest: members get the service worker, so that their card and a page that explains itself are there without a connection
 * (product.md M6); a card that was left by somebody who is no longer signed in here goes.
 */
export function KeptCardGuard({ isMember }: { isMember: boolean }) {
  useEffect(() => {
    const timer = setTimeout(() => {
      if (isMember) register();
      else if (isMarked())
        loadModule(lazyChunks.keptCard, () => import("./kept-card.ts"))
          .then(({ forgetCard }) => forgetCard())
          .catch((error: unknown) => console.error("The digital ID kept here could not be removed", error));
    }, afterMs);
    return () => clearTimeout(timer);
  }, [isMember]);
  return null;
}

function register(): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker
    .register("/sw.js", { updateViaCache: "none" })
    .catch((error: unknown) => console.error("Pages will not open without a connection", error));
}

function isMarked(): boolean {
  try {
    return localStorage.getItem(keptCardMark) !== null;
  } catch {
    return false; // closed to us: so is the place where a card would be
  }
}
