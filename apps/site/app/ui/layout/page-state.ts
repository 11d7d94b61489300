/** The attributes of <html> as the server sends it: nothing is open. Script sets them and styles read them (P7). */
export const closedPage = {
  "data-search": "closed",
  "data-overlay": "closed",
  "data-header": "inactive",
  "data-header-menu": "inactive",
  "data-main-nav": "inactive",
} as const;

/** What can cover the page, one at a time. */
export type LayerName = "search" | "header-menu" | "main-nav";
/** Why a layer closes: a key, a press beside it, scrolling, or another layer in its place. */
export type CloseReason = "escape" | "overlay" | "scroll" | "replaced";

export interface Layer {
  name: LayerName;
  /** Default: true. */
  isInHeader?: boolean;
  /** Closes what lies over the page. */
  close: (reason: CloseReason) => void;
}

/** From this width on, the page behaves as on a desktop (D9). */
export const DESKTOP_QUERY = "(width >= 1024px)";

/** The scroll position at which search and menu close on a desktop, in pixels (D6). */
export const CLOSES_AT_SCROLL = 200;
/** On narrow windows any scrolling closes, beyond the pixels that an unsteady finger may move. */
const SCROLL_TOLERANCE = 8;

/** Returns whether scrolling from `openedAt` to `now` closes the open layer (D6). */
export function scrollCloses({ isDesktop, openedAt, now }: { isDesktop: boolean; openedAt: number; now: number }) {
  const moved = Math.abs(now - openedAt);
  return isDesktop ? now >= CLOSES_AT_SCROLL && moved > 0 : moved > SCROLL_TOLERANCE;
}

let current: { layer: Layer; openedAt: number } | null = null;

/**
 * Registers a layer that has opened over the page, and sets the attributes of <html>. Its `close` is called when it has
 * to close. Returns the function to call once it has closed.
 */
export function openLayer(layer: Layer): () => void {
  current?.layer.close("replaced");
  current = { layer, openedAt: scrollY };
  mark(layer, true);
  addEventListener("scroll", onScroll, { passive: true });
  addEventListener("keydown", onKey);
  addEventListener("pagehide", onLeave);
  return () => {
    mark(layer, false);
    // Another layer may have replaced it.
    if (current !== null && current.layer !== layer) return mark(current.layer, true);
    current = null;
    removeEventListener("scroll", onScroll);
    removeEventListener("keydown", onKey);
    removeEventListener("pagehide", onLeave);
  };
}

function mark({ name, isInHeader = true }: Layer, isOpen: boolean): void {
  const { dataset } = document.documentElement;
  const words = isOpen ? (["open", "active"] as const) : (["closed", "inactive"] as const);
  if (name === "search") dataset["search"] = words[0];
  else dataset[name === "main-nav" ? "mainNav" : "headerMenu"] = words[1];
  dataset["overlay"] = words[0];
  dataset["header"] = isInHeader ? words[1] : "inactive";
}

function onScroll(): void {
  if (!current) return;
  const isDesktop = matchMedia(DESKTOP_QUERY).matches;
  if (scrollCloses({ isDesktop, openedAt: current.openedAt, now: scrollY })) current.layer.close("scroll");
}

function onKey(event: KeyboardEvent): void {
  if (event.key === "Escape") closeLayer("escape");
}

/** Browsers restore a page on Back as it was left, so it is left closed. */
function onLeave(): void {
  closeLayer("replaced");
}

/** Closes the layer that is open, if one is. */
export function closeLayer(reason: CloseReason): void {
  current?.layer.close(reason);
}
