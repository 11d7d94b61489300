import { useEffect, useRef } from "react";

/** As the server sends <html>: nothing is open. Styles go by these attributes (seed section 4), script sets them. */
export const closedPage = {
  "data-search": "closed",
  "data-overlay": "closed",
  "data-header": "inactive",
  "data-header-menu": "inactive",
  "data-main-nav": "inactive",
} as const;

/** What can lie over the page; one at a time. */
export type LayerName = "search" | "header-menu" | "main-nav";
/** Who closes it: a key, a press beside it, the page moving away under it, or something else taking its place. */
export type CloseReason = "escape" | "overlay" | "scroll" | "replaced";

interface Layer {
  name: LayerName;
  isInHeader: boolean;
  openedAt: number;
  close: (reason: CloseReason) => void;
}

/** Mobile and desktop behaviour differ here (product.md D9). */
export const desktop = "(width >= 1024px)";

/** Where the page has to be scrolled to for search and menu to close on desktop (seed section 9). */
export const closesAtScroll = 200;
/** On narrow windows any scrolling closes; this much can be a trembling finger. */
const tremble = 8;

/** Whether scrolling from `openedAt` to `now` closes what is open (product.md D6). */
export function scrollCloses({ isDesktop, openedAt, now }: { isDesktop: boolean; openedAt: number; now: number }) {
  const moved = Math.abs(now - openedAt);
  return isDesktop ? now >= closesAtScroll && moved > 0 : moved > tremble;
}

let current: Layer | null = null;

function open(layer: Layer): () => void {
  current?.close("replaced");
  current = layer;
  mark(layer, true);
  addEventListener("scroll", onScroll, { passive: true });
  addEventListener("keydown", onKey);
  addEventListener("pagehide", onLeave);
  return () => {
    mark(layer, false);
    // Another may have taken its place by now.
    if (current !== layer && current !== null) return mark(current, true);
    current = null;
    removeEventListener("scroll", onScroll);
    removeEventListener("keydown", onKey);
    removeEventListener("pagehide", onLeave);
  };
}

function mark({ name, isInHeader }: Layer, isOpen: boolean): void {
  const { dataset } = document.documentElement;
  const words = isOpen ? (["open", "active"] as const) : (["closed", "inactive"] as const);
  if (name === "search") dataset["search"] = words[0];
  else dataset[name === "main-nav" ? "mainNav" : "headerMenu"] = words[1];
  dataset["overlay"] = words[0];
  dataset["header"] = isInHeader ? words[1] : "inactive";
}

function onScroll(): void {
  if (!current) return;
  const isDesktop = matchMedia(desktop).matches;
  if (scrollCloses({ isDesktop, openedAt: current.openedAt, now: scrollY })) current.close("scroll");
}

function onKey(event: KeyboardEvent): void {
  if (event.key === "Escape") current?.close("escape");
}

/** A page that the Back button brings back comes as it was left: it is left closed. */
function onLeave(): void {
  current?.close("replaced");
}

export function closeOverlay(): void {
  current?.close("overlay");
}

/** While `isOpen`, `name` lies over the page: the page's attributes say so, and `close` is called when it is time to. */
export function useLayer(
  name: LayerName,
  isOpen: boolean,
  close: (reason: CloseReason) => void,
  { isInHeader = true } = {},
): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    if (isOpen) return open({ name, isInHeader, openedAt: scrollY, close: (reason) => latest.current(reason) });
  }, [isOpen, name, isInHeader]);
}
