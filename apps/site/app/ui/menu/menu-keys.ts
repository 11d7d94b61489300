import { moveFocus } from "./move-focus.ts";

/**
 * Handles the arrow keys along the row of sections and into an open panel, and Home and End. `openSection` opens the
 * section of a link and moves into its panel.
 */
export function handleKey(
  event: KeyboardEvent,
  { nav, openSection }: { nav: HTMLElement; openSection: (trigger: HTMLElement) => void },
): void {
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return;
  const trigger = event.target.closest<HTMLElement>(".menu-trigger");
  const panel = event.target.closest<HTMLElement>(".menu-panel");
  if (trigger && (event.key === " " || event.key === "ArrowDown")) {
    if (!trigger.hasAttribute("aria-expanded")) return;
    event.preventDefault();
    if (event.key === "ArrowDown") openSection(trigger);
    else trigger.click();
  } else if (trigger && moveFocus(nav, ".menu-trigger", event.key, ["ArrowLeft", "ArrowRight"])) {
    event.preventDefault();
  } else if (panel && moveFocus(panel, "a", event.key, ["ArrowUp", "ArrowDown"])) {
    event.preventDefault();
  }
}
