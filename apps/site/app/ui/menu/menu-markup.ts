import { levelOf, type MenuMode, type MenuPlace } from "./menu-place.ts";

/** Returns a section of the menu (main-menu.tsx). */
export function sectionAt(nav: HTMLElement, { section }: MenuPlace): HTMLElement | undefined {
  return section === undefined ? undefined : nav.querySelectorAll<HTMLElement>(".menu-section")[section];
}

/** Returns a group of a section (menu-panel.tsx). */
export function groupAt(nav: HTMLElement, at: MenuPlace): HTMLElement | undefined {
  return at.group === undefined ? undefined : groupsOf(sectionAt(nav, at))[at.group];
}

const groupsOf = (section: Element | undefined) => section?.querySelectorAll<HTMLElement>(".menu-group") ?? [];
const linkOf = (entry: Element | undefined | null) => entry?.querySelector<HTMLElement>(":scope > a");

/** Returns the place that a link of a section or of a group leads to. */
export function placeOf(nav: HTMLElement, link: Element): MenuPlace & { section: number } {
  const sections = [...nav.querySelectorAll(".menu-section")];
  const section = sections.findIndex((entry) => entry.contains(link));
  const group = [...groupsOf(sections[section])].findIndex((entry) => entry.contains(link));
  return group < 0 ? { section } : { section, group };
}

/** Shows a place of the menu: which entries are open, and which are buttons in this mode instead of links. */
export function drawMenu(nav: HTMLElement, mode: MenuMode, at: MenuPlace): void {
  nav.dataset["level"] = String(levelOf(at));
  nav.querySelectorAll(".menu-section").forEach((section, index) => {
    const isOpen = at.section === index;
    drawEntry(section, ".menu-panel", { isOpen, isButton: true });
    groupsOf(section).forEach((group, within) => {
      drawEntry(group, ".menu-links", { isOpen: isOpen && at.group === within, isButton: mode === "narrow" });
    });
  });
}

function drawEntry(entry: Element, content: string, { isOpen, isButton }: { isOpen: boolean; isButton: boolean }) {
  const link = linkOf(entry);
  const opened = entry.querySelector(`:scope > ${content}`);
  if (!link || !opened) return;
  entry.toggleAttribute("data-open", isOpen);
  const attributes = { role: "button", "aria-expanded": String(isOpen), "aria-controls": opened.id };
  for (const [name, value] of Object.entries(attributes))
    if (isButton) link.setAttribute(name, value);
    else link.removeAttribute(name);
}

/**
 * Returns the heading of the sheet's level. The level gets its head, Back and the heading, when it is opened for the
 * first time: wide windows show none, and a page would carry dozens.
 */
export function headingOf(nav: HTMLElement, at: MenuPlace): HTMLElement | null {
  const section = sectionAt(nav, at);
  const group = groupAt(nav, at);
  const level = group?.querySelector(".menu-links") ?? section?.querySelector(".menu-panel");
  const found = level?.querySelector<HTMLElement>(":scope > .menu-level-head h2");
  if (found || !level) return found ?? null;
  level.prepend(nav.querySelector<HTMLTemplateElement>(":scope > template")?.content.cloneNode(true) ?? "");
  const heading = level.querySelector("h2");
  if (heading) heading.textContent = linkOf(group ?? section)?.textContent ?? "";
  level.querySelector(".menu-back")?.append((group && linkOf(section)?.textContent) ?? "Menu");
  return heading;
}
