import { debounce } from "@farthing/ui/timing/debounce.ts";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type CloseReason, DESKTOP_QUERY, useLayer } from "../layout/page-state.ts";

/** The open section and group of the menu. Without a section nothing is open. */
export interface MenuPlace {
  section?: number;
  /** Narrow windows only. */
  group?: number;
  /** Opened by a press, not by hovering. */
  isPinned?: boolean;
}

const LEVEL_HEAD = ":scope > .menu-level-head h2";

/**
 * The state of the menu: its mode by the width of the window ("plain" until the script runs), whether the sheet is
 * open, the level that is shown, and where the focus goes when these change.
 */
export function useMenu() {
  const nav = useRef<HTMLElement>(null);
  const [mode, setMode] = useState<"plain" | "narrow" | "wide">("plain");
  const [isSheetOpen, setSheetOpen] = useState(false);
  const [place, setPlace] = useState<MenuPlace>({});
  const focusNext = useRef<() => HTMLElement | null | undefined>(undefined);

  const sectionAt = (section: number | undefined) =>
    section === undefined ? null : nav.current?.querySelectorAll<HTMLElement>(".menu-section")[section];
  const groupAt = ({ section, group }: MenuPlace) =>
    group === undefined ? null : sectionAt(section)?.querySelectorAll<HTMLElement>(".menu-group")[group];

  /**
   * Opens a place of the menu. Then the element that `focus` selects gets the focus; on narrow windows, the
   * level's heading.
   */
  function show(to: MenuPlace, focus?: string) {
    if (mode === "narrow")
      focusNext.current = () =>
        (
          groupAt(to)?.querySelector(".menu-links") ?? sectionAt(to.section)?.querySelector(".menu-panel")
        )?.querySelector(LEVEL_HEAD) as HTMLElement | null;
    else if (focus) focusNext.current = () => sectionAt(to.section)?.querySelector<HTMLElement>(focus);
    setPlace(to);
  }

  /** Goes one level up and focuses the link that led down. */
  function back() {
    const { section, group } = place;
    const from = group === undefined ? sectionAt(section)?.querySelector("a") : groupAt(place)?.querySelector("a");
    focusNext.current = () => from;
    setPlace(group === undefined || section === undefined ? {} : { section });
  }

  useLayoutEffect(() => {
    const target = focusNext.current?.();
    focusNext.current = undefined;
    if (!target) return;
    target.focus({ preventScroll: mode === "narrow" && target.tagName === "H2" });
    if (target.tagName === "H2") nav.current?.scrollTo(0, 0);
  }, [place, mode]);

  useEffect(() => {
    const query = matchMedia(DESKTOP_QUERY);
    const update = () => {
      setMode(query.matches ? "wide" : "narrow");
      if (query.matches) hide(nav.current);
      setPlace({});
    };
    setMode(query.matches ? "wide" : "narrow");
    const later = debounce(update);
    query.addEventListener("change", later);
    return () => {
      query.removeEventListener("change", later);
      later.cancel();
    };
  }, []);

  useSheet(nav, isSheetOpen, (isOpen) => {
    setSheetOpen(isOpen);
    if (!isOpen) setPlace({});
  });

  useLayer("main-nav", isSheetOpen, () => hide(nav.current));
  const isPanelOpen = mode === "wide" && place.section !== undefined;
  useLayer("header-menu", isPanelOpen, (reason: CloseReason) => {
    const section = sectionAt(place.section);
    if (reason === "escape" && section?.contains(document.activeElement)) section.querySelector("a")?.focus();
    setPlace({});
  });

  return { nav, mode, at: { isPinned: false, ...place }, show, back };
}

function hide(sheet: HTMLElement | null): void {
  if (sheet?.matches(":popover-open")) sheet.hidePopover();
}

/**
 * Keeps the focus inside the open sheet and returns it afterwards. The sheet is a popover, which also works
 * without script.
 */
function useSheet(nav: RefObject<HTMLElement | null>, isOpen: boolean, onToggle: (isOpen: boolean) => void): void {
  const latest = useRef(onToggle);
  useEffect(() => {
    latest.current = onToggle;
  });
  useEffect(() => {
    const sheet = nav.current;
    if (!sheet) return;
    const update = () => latest.current(sheet.matches(":popover-open"));
    update(); // the person may have opened it before the script ran
    sheet.addEventListener("toggle", update);
    return () => sheet.removeEventListener("toggle", update);
  }, [nav]);

  useEffect(() => {
    const sheet = nav.current;
    if (!isOpen || !sheet) return;
    const others = around(sheet);
    for (const other of others) other.inert = true;
    sheet.querySelector<HTMLElement>(".site-menu-title")?.focus();
    return () => {
      for (const other of others) other.inert = false;
      // The browser returns the focus to the button, but not while the button is inert.
      if (sheet.contains(document.activeElement) || document.activeElement === document.body)
        document.querySelector<HTMLElement>(".menu-button")?.focus();
    };
  }, [isOpen, nav]);
}

/** Returns every element beside `inner` and its ancestors, except the overlay, which closes the sheet when pressed. */
function around(inner: HTMLElement): HTMLElement[] {
  const others: HTMLElement[] = [];
  for (let at = inner; at !== document.body && at.parentElement; at = at.parentElement)
    for (const other of at.parentElement.children)
      if (other !== at && other instanceof HTMLElement && !other.inert && !other.matches("script, .site-overlay"))
        others.push(other);
  return others;
}
