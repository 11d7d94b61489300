import { useCallback, useEffect, useLayoutEffect, useReducer, useRef } from "react";
import { openLayer } from "../layout/page-state.ts";
import { forgetSearches, keepSearch, recentSearches } from "./recent-searches.ts";
import { SearchPanel, suggestionId } from "./search-panel.tsx";
import {
  announcement,
  nextSuggestions,
  noSuggestions,
  searchedText,
  searchPath,
  type Suggestion,
  type SuggestionGroup,
} from "./suggestion-state.ts";
import { useSuggestions } from "./use-suggestions.ts";

/**
 * Turns the search field into a combobox (WAI-ARIA) with a list below it. It attaches to the field that the server
 * rendered, which keeps its text and its focus.
 */
export function SearchSuggestions({
  field,
  sections,
  opensAtOnce,
  isInHeader,
}: {
  field: HTMLInputElement;
  /** The sections of the site, which are suggested before anything is typed. */
  sections: Suggestion[];
  /** Whether the person pressed the field or typed while this was loading. */
  opensAtOnce: boolean;
  isInHeader: boolean;
}) {
  const [state, dispatch] = useReducer(nextSuggestions, noSuggestions);
  const { isOpen, active } = state;
  const close = useCallback(() => dispatch({ type: "closed" }), []);
  useEffect(() => {
    if (isOpen) return openLayer({ name: "search", isInHeader, close });
  }, [isOpen, isInHeader, close]);
  useSuggestions(state, dispatch);

  function suggest() {
    const recent = recentSearches().map((text) => ({ label: text, path: searchPath(text) }));
    const start: SuggestionGroup[] = [
      { label: "Recent searches", suggestions: recent },
      { label: "Browse", suggestions: sections.slice(0, recent.length > 2 ? 3 : 6) },
    ];
    dispatch({ type: "typed", query: field.value, start: start.filter(({ suggestions }) => suggestions.length > 0) });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (event.altKey && event.key === "ArrowUp") close();
      else if (!isOpen) suggest();
      else if (!event.altKey) dispatch({ type: "moved", by: event.key === "ArrowDown" ? 1 : -1 });
    } else if (event.key === "Enter" && isOpen && active >= 0) {
      event.preventDefault();
      document.getElementById(suggestionId(active))?.click();
    } else if (event.key === "Escape" && !isOpen) {
      (event.target as HTMLInputElement).value = "";
    }
  }

  const latest = useRef({ suggest, onKeyDown });
  useEffect(() => {
    latest.current = { suggest, onKeyDown };
  });

  useEffect(() => {
    const search = field.closest<HTMLElement>(".search");
    const listening = new AbortController();
    const { signal } = listening;
    const onType = () => latest.current.suggest();
    field.setAttribute("role", "combobox");
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", "search-suggestions");
    field.addEventListener("click", onType, { signal });
    field.addEventListener("input", onType, { signal });
    field.addEventListener("keydown", (event) => latest.current.onKeyDown(event), { signal });
    // Leaving with Tab closes the list; a press on something inside it does not.
    search?.addEventListener(
      "focusout",
      ({ relatedTarget }) => relatedTarget instanceof Node && !search.contains(relatedTarget) && close(),
      { signal },
    );
    return () => listening.abort();
  }, [field, close]);

  useEffect(() => {
    if (opensAtOnce && document.activeElement === field) latest.current.suggest();
  }, [opensAtOnce, field]);

  useLayoutEffect(() => {
    if (isOpen) makeRoom(field);
  }, [field, isOpen]);

  useEffect(() => {
    field.closest(".search")?.toggleAttribute("data-open", isOpen);
    field.setAttribute("aria-expanded", String(isOpen));
    if (active < 0) return field.removeAttribute("aria-activedescendant");
    field.setAttribute("aria-activedescendant", suggestionId(active));
    document.getElementById(suggestionId(active))?.scrollIntoView({ block: "nearest" });
  }, [field, isOpen, active]);

  return (
    <>
      <SearchPanel
        state={state}
        onChoose={({ path }) => keepSearch(searchedText(path) ?? "")}
        onForget={() => {
          forgetSearches();
          suggest();
          field.focus();
        }}
        onClose={() => {
          close();
          field.focus();
        }}
      />
      {/* It is there from the start, because screen readers announce changes only. */}
      <p role="status" className="visually-hidden">
        {announcement(state)}
      </p>
    </>
  );
}

/** The height of a few suggestions, in pixels. */
const MIN_ROOM = 320;

/** Places the list below the field, or above it where there is too little room, and limits its height to the window. */
function makeRoom(input: HTMLElement): void {
  const search = input.closest<HTMLElement>(".search");
  const { top, bottom } = input.getBoundingClientRect();
  const below = innerHeight - bottom;
  const isAbove = below < MIN_ROOM && top > below;
  search?.toggleAttribute("data-above", isAbove);
  search?.style.setProperty("--search-room", `${Math.round(isAbove ? top : below) - 24}px`);
}
