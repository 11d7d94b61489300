import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { SearchSuggestions } from "./search-suggestions.tsx";
import type { Suggestion } from "./suggestion-state.ts";

/** Shows the suggestions of a search form (search-form.tsx). */
export function mountSuggestions(
  search: HTMLElement,
  field: HTMLInputElement,
  { opensAtOnce }: { opensAtOnce: boolean },
): void {
  const container = search.querySelector(".search-suggestions");
  if (!container) return;
  const isInHeader = search.closest(".site-header") !== null;
  const props = { field, sections: menuSections(), opensAtOnce, isInHeader };
  // At once: a key that is pressed before the suggestions listen would be lost.
  flushSync(() => createRoot(container).render(createElement(SearchSuggestions, props)));
}

/** Returns the sections of the site from the menu of the page. */
function menuSections(): Suggestion[] {
  const links = document.querySelectorAll(".menu-section > .menu-trigger");
  return [...links].map((link) => ({ label: link.textContent ?? "", path: link.getAttribute("href") ?? "" }));
}
