import { debounce } from "@farthing/ui/timing/debounce.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";
import { type CloseReason, DESKTOP_QUERY, openLayer } from "../layout/page-state.ts";
import { startHover } from "./menu-hover.ts";
import { handleKey } from "./menu-keys.ts";
import { drawMenu, groupAt, headingOf, placeOf, sectionAt } from "./menu-markup.ts";
import { afterPress, type MenuMode, type MenuPlace, oneLevelUp } from "./menu-place.ts";
import { hideSheet, startSheet } from "./menu-sheet.ts";

/** Turns the menu's links into a row with panels on a wide window, and into a sheet of three levels on a narrow one. */
export const menu: Behaviour = { selector: "#site-menu", start };

function start(nav: HTMLElement): void {
  const query = matchMedia(DESKTOP_QUERY);
  const modeNow = (): MenuMode => (query.matches ? "wide" : "narrow");
  let mode = modeNow();
  let at: MenuPlace = {};
  let releasePanel: (() => void) | undefined;

  function show(to: MenuPlace): void {
    at = to;
    drawMenu(nav, mode, at);
    if (mode !== "wide" || at.section === undefined) {
      releasePanel?.();
      releasePanel = undefined;
    } else releasePanel ??= openLayer({ name: "header-menu", close: closePanel });
  }

  function closePanel(reason: CloseReason): void {
    const section = sectionAt(nav, at);
    if (reason === "escape" && section?.contains(document.activeElement)) section.querySelector("a")?.focus();
    show({});
  }

  /** Opens a level of the sheet and moves the focus to its heading. */
  function goDown(to: MenuPlace): void {
    const heading = headingOf(nav, to);
    show(to);
    heading?.focus({ preventScroll: true });
    nav.scrollTo(0, 0);
  }

  /** Goes one level up and focuses the link that led down. */
  function goUp(): void {
    const from = groupAt(nav, at) ?? sectionAt(nav, at);
    show(oneLevelUp(at));
    from?.querySelector("a")?.focus();
  }

  function press(event: MouseEvent): void {
    if (!(event.target instanceof Element)) return;
    if (event.target.closest(".menu-back")) return goUp();
    const entry = event.target.closest<HTMLElement>("a[aria-expanded]");
    if (!entry || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const pressed = placeOf(nav, entry);
    const to = pressed.group === undefined ? afterPress(mode, at, pressed.section) : pressed;
    if (mode === "narrow") goDown(to);
    else show(to);
  }

  function openSection(trigger: HTMLElement): void {
    show({ ...placeOf(nav, trigger), isPinned: true });
    sectionAt(nav, at)?.querySelector<HTMLElement>(".menu-panel a")?.focus();
  }

  nav.addEventListener("click", press);
  nav.addEventListener("keydown", (event) => {
    if (mode === "wide") handleKey(event, { nav, openSection });
  });
  nav.addEventListener("focusout", ({ relatedTarget }) => {
    if (mode === "wide" && relatedTarget instanceof Node && !nav.contains(relatedTarget)) show({});
  });
  const changeMode = debounce(() => {
    hideSheet(nav);
    mode = modeNow();
    show({});
  });
  query.addEventListener("change", changeMode);
  show({});
  startHover(nav, { at: () => at, isActive: () => mode === "wide", show });
  startSheet(nav, () => show({}));
}
