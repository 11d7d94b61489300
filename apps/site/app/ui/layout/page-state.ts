import { useEffect, useRef } from "react";

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

interface Layer {
  name: LayerName;
  isInHeader: boolean;
  openedAt: number;
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
    // Another layer may have replaced it.
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
  const isDesktop = matchMedia(DESKTOP_QUERY).matches;
  if (scrollCloses({ isDesktop, openedAt: current.openedAt, now: scrollY })) current.close("scroll");
}

function onKey(event: KeyboardEvent): void {
  if (event.key === "Escape") current?.close("escape");
}

/** Browsers restore a page on Back as it was left, so it is left closed. */
function onLeave(): void {
  current?.close("replaced");
}

export function closeOverlay(): void {
  current?.close("overlay");
}

/**
 * Registers `name` as the layer over the page while `isOpen`: sets the attributes of <html>, and calls `close` when it
 * has to close.
 */
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
