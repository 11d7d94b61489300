import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";
import { lazyChunks } from "../../lazy-chunks.ts";
import { KEPT_GIFT_CARDS_MARK } from "../wallet/kept-gift-cards-mark.ts";
import { KEPT_CARD_MARK } from "./kept-card-mark.ts";

/** Lets the page settle first. */
const DELAY_MS = 1_500;

/**
 * Runs on every page of the site once it is idle. Registers the service worker for members and for the installed site, so that a member's card and an
 * explanation are available offline (M6, T5). Removes the card and the gift cards (G6) of somebody who is no longer signed in here.
 */
export const keptCardGuard: Behaviour = {
  selector: "html[data-visit]:not(:has(> body.is-lean))",
  start({ dataset }) {
    const isMember = dataset["visit"] === "member";
    setTimeout(() => {
      if (isMember || matchMedia("(display-mode: standalone)").matches) register();
      if (!isMember) forgetAll();
    }, DELAY_MS);
  },
};

function register(): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker
    .register("/sw.js", { updateViaCache: "none" })
    .catch((error: unknown) => console.error("Pages will not open without a connection", error));
}

function forgetAll(): void {
  if (!isMarked(KEPT_CARD_MARK) && !isMarked(KEPT_GIFT_CARDS_MARK)) return;
  loadModule(lazyChunks.keptCard, () => import("./forget-kept.ts"))
    .then(({ forgetKept }) => forgetKept())
    .catch((error: unknown) => console.error("The cards kept here could not be removed", error));
}

function isMarked(mark: string): boolean {
  try {
    return localStorage.getItem(mark) !== null;
  } catch {
    return false; // storage is blocked, so no card is stored either
  }
}
