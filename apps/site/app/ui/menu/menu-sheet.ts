import { openLayer } from "../layout/page-state.ts";

export function hideSheet(sheet: HTMLElement): void {
  if (sheet.matches(":popover-open")) sheet.hidePopover();
}

/**
 * Keeps the focus inside the open sheet and returns it afterwards. The sheet is a popover, which also works
 * without script.
 */
export function startSheet(sheet: HTMLElement, onClosed: () => void): void {
  let putBack: (() => void) | undefined;
  const update = () => {
    const isOpen = sheet.matches(":popover-open");
    if (isOpen) putBack ??= isolate(sheet);
    else if (putBack) {
      onClosed();
      putBack();
      putBack = undefined;
    }
  };
  update(); // the person may have opened it before the script ran
  sheet.addEventListener("toggle", update);
}

/** Makes the sheet the only thing on the page that can be used. Returns the function that undoes it. */
function isolate(sheet: HTMLElement): () => void {
  const others = around(sheet);
  for (const other of others) other.inert = true;
  sheet.querySelector<HTMLElement>(".site-menu-title")?.focus();
  const release = openLayer({ name: "main-nav", close: () => hideSheet(sheet) });
  return () => {
    release();
    for (const other of others) other.inert = false;
    // The browser returns the focus to the button, but not while the button is inert.
    if (sheet.contains(document.activeElement) || document.activeElement === document.body)
      document.querySelector<HTMLElement>(".menu-button")?.focus();
  };
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
