import { debounce } from "@farthing/ui/timing/debounce.ts";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type CloseReason, desktop, useLayer } from "../layout/page-state.ts";

/** Where in the menu one is. Nothing is open without a section. */
export interface MenuPlace {
  section?: number;
  /** Narrow windows only. */
  group?: number;
  /** Opened by a press rather than by a passing pointer. */
  isPinned?: boolean;
}

const levelHead = ":scope > .menu-level-head h2";

/**
 * What the menu's script knows: which window it is in ("plain" until the script has taken over), whether the sheet is open, which level is shown, and where the
 * focus goes when that changes.
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

  /** `focus`, if given, is looked for in the section once it is open; on narrow windows the level's heading. */
  function show(to: MenuPlace, focus?: string) {
    if (mode === "narrow")
      focusNext.current = () =>
        (
          groupAt(to)?.querySelector(".menu-links") ?? sectionAt(to.section)?.querySelector(".menu-panel")
        )?.querySelector(levelHead) as HTMLElement | null;
    else if (focus) focusNext.current = () => sectionAt(to.section)?.querySelector<HTMLElement>(focus);
    setPlace(to);
  }

  /** One level up, to what was pressed there. */
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
    const query = matchMedia(desktop);
    const look = () => {
      setMode(query.matches ? "wide" : "narrow");
      if (query.matches) hide(nav.current);
      setPlace({});
    };
    setMode(query.matches ? "wide" : "narrow");
    const later = debounce(look);
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

/** The sheet is a popover, which works without us; with us it keeps the focus and gives it back. */
function useSheet(nav: RefObject<HTMLElement | null>, isOpen: boolean, onToggle: (isOpen: boolean) => void): void {
  const latest = useRef(onToggle);
  useEffect(() => {
    latest.current = onToggle;
  });
  useEffect(() => {
    const sheet = nav.current;
    if (!sheet) return;
    const look = () => latest.current(sheet.matches(":popover-open"));
    look(); // it may have been opened before the script was there
    sheet.addEventListener("toggle", look);
    return () => sheet.removeEventListener("toggle", look);
  }, [nav]);

  useEffect(() => {
    const sheet = nav.current;
    if (!isOpen || !sheet) return;
    const others = around(sheet);
    for (const other of others) other.inert = true;
    sheet.querySelector<HTMLElement>(".site-menu-title")?.focus();
    return () => {
      for (const other of others) other.inert = false;
      // The browser gives the focus back to the button, but could not while that was out of reach.
      if (sheet.contains(document.activeElement) || document.activeElement === document.body)
        document.querySelector<HTMLElement>(".menu-button")?.focus();
    };
  }, [isOpen, nav]);
}

/** Everything on the page that is neither in `inner` nor around it, but for the overlay, which takes presses. */
function around(inner: HTMLElement): HTMLElement[] {
  const others: HTMLElement[] = [];
  for (let at = inner; at !== document.body && at.parentElement; at = at.parentElement)
    for (const other of at.parentElement.children)
      if (other !== at && other instanceof HTMLElement && !other.inert && !other.matches("script, .site-overlay"))
        others.push(other);
  return others;
}
