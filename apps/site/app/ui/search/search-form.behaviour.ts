import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";
import { lazyChunks } from "../../lazy-chunks.ts";
import { keepSearch } from "./recent-searches.ts";

/** Remembers searches on the device, and loads the script of the suggestions once the search is touched. */
export const searchForm: Behaviour = { selector: ".search", start };

function start(search: HTMLElement): void {
  const field = search.querySelector<HTMLInputElement>("#search-field");
  if (!field) return;
  let isAwake = false;
  let isWanted = false;
  const want = () => (isWanted = true);

  function wake(): void {
    if (isAwake) return;
    isAwake = true;
    loadModule(lazyChunks.searchSuggestions, () => import("./mount-suggestions.ts")).then(
      ({ mountSuggestions }) => mountSuggestions(search, field!, { opensAtOnce: isWanted }),
      () => (isAwake = false), // not loaded: the next touch tries again, and searching works meanwhile
    );
  }

  search.addEventListener("pointerenter", wake);
  search.addEventListener("focusin", wake);
  field.addEventListener("click", want);
  field.addEventListener("input", want);
  field.form?.addEventListener("submit", () => keepSearch(field.value));
  // The person may have begun before the script ran.
  if (document.activeElement === field) {
    isWanted = field.value !== field.defaultValue;
    wake();
  }
}
