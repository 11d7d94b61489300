import { openPalette, paletteEntries } from "./palette.ts";

/** How long the second key of a shortcut such as "g m" may take. */
const SECOND_KEY_MS = 1_500;

/**
 * Keys that lead somewhere: those of the menu (pages.ts), "/" to the search, "?" to the list of all, "j" and "k" along the rows,
 * "x" to choose one. None works while a person types.
 */
export function startShortcuts(): void {
  let first = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      openPalette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    clearTimeout(timer);
    const pair = first && `${first} ${event.key}`;
    first = "";
    const found = paletteEntries().find(({ keys }) => keys === pair);
    if (found) return location.assign(found.path);
    if (single(event.key)) return event.preventDefault();
    first = event.key;
    timer = setTimeout(() => (first = ""), SECOND_KEY_MS);
  });
}

function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return element?.closest("input:not([type=checkbox]), textarea, select, dialog[open]") !== null && element !== null;
}

/** Does what one key does. Returns whether it does anything. */
function single(key: string): boolean {
  if (key === "?") location.assign("/admin/keys");
  else if (key === "/") document.querySelector<HTMLElement>("#bar-search")?.focus();
  else if (key === "j" || key === "k") moveRow(key === "j" ? 1 : -1);
  else if (key === "x")
    document.activeElement?.closest("tr")?.querySelector<HTMLInputElement>('input[name="ids"]')?.click();
  else return false;
  return true;
}

function moveRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLTableRowElement>("[data-rows] tbody tr")];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[at === -1 ? (by === 1 ? 0 : rows.length - 1) : at + by];
  next?.querySelector<HTMLElement>("a, input")?.focus();
}
