import { type FocusEvent, type KeyboardEvent, useCallback, useReducer, useRef } from "react";
import { useRouteLoaderData } from "react-router";
import type { RootData } from "../root.tsx";
import { useLayer } from "./page-state.ts";
import { forgetSearches, keepSearch, recentSearches } from "./recent-searches.ts";
import { SearchPanel, suggestionId } from "./search-panel.tsx";
import { announcement, nextSuggestions, noSuggestions, searchPath, type SuggestionGroup } from "./suggestion-state.ts";
import { useScript } from "./use-script.ts";
import { useSuggestions } from "./use-suggestions.ts";

/**
 * The search: a plain GET form, and with script a field that suggests while somebody types (WAI-ARIA's combobox with a list). There is one on a page, in
 * the header or, where searching is what the page is for, in the page.
 */
export function SearchForm({
  query = "",
  isLarge = false,
  isInHeader = false,
}: {
  query?: string;
  isLarge?: boolean;
  isInHeader?: boolean;
}) {
  const isScripted = useScript();
  const menu = useRouteLoaderData<RootData>("root")?.brand.menu ?? [];
  const [state, dispatch] = useReducer(nextSuggestions, noSuggestions);
  const field = useRef<HTMLInputElement>(null);
  const close = useCallback(() => dispatch({ type: "closed" }), []);
  useLayer("search", state.isOpen, close, { isInHeader });
  useSuggestions(state, dispatch);

  function suggest() {
    const sections = menu.map(({ label, href }) => ({ label, path: href }));
    const recent = recentSearches().map((text) => ({ label: text, path: searchPath(text) }));
    const start: SuggestionGroup[] = [
      { label: "Recent searches", suggestions: recent },
      { label: "Browse", suggestions: sections.slice(0, recent.length > 2 ? 3 : 6) },
    ];
    dispatch({
      type: "typed",
      query: field.current?.value ?? "",
      start: start.filter((group) => group.suggestions.length > 0),
    });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (event.altKey && event.key === "ArrowUp") return close();
      if (!state.isOpen) return suggest();
      if (!event.altKey) dispatch({ type: "moved", by: event.key === "ArrowDown" ? 1 : -1 });
    } else if (event.key === "Enter" && state.isOpen && state.active >= 0) {
      event.preventDefault();
      document.getElementById(suggestionId(state.active))?.click();
    } else if (event.key === "Escape" && !state.isOpen && field.current) {
      field.current.value = "";
    }
  }

  /** Tab out of it closes it; a press on something in it does not leave it. */
  function onBlur({ relatedTarget, currentTarget }: FocusEvent) {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) close();
  }

  return (
    <search className={isLarge ? "search is-large" : "search"} data-open={state.isOpen || undefined} onBlur={onBlur}>
      <div className="search-box">
        <form
          action="/search"
          method="get"
          className={isLarge ? "search-form is-large" : "search-form"}
          onSubmit={() => keepSearch(field.current?.value ?? "")}
        >
          <label htmlFor="search-field" className="visually-hidden">
            Search
          </label>
          <svg className="search-icon" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
            <path
              d="M8.500 2.500a6 6 0 1 1 0 12 6 6 0 0 1 0-12Zm4.600 10.600 4.400 4.400"
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinecap="round"
            />
          </svg>
          <input
            ref={field}
            id="search-field"
            type="text"
            inputMode="search"
            name="q"
            defaultValue={query}
            key={query}
            maxLength={200}
            placeholder="Retailer, category or offer"
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            enterKeyHint="search"
            spellCheck={false}
            onClick={suggest}
            onInput={suggest}
            onKeyDown={onKeyDown}
            role="searchbox"
            {...(isScripted && {
              role: "combobox",
              "aria-autocomplete": "list",
              "aria-expanded": state.isOpen,
              "aria-controls": "search-suggestions",
              "aria-activedescendant": state.active >= 0 ? suggestionId(state.active) : undefined,
            })}
          />
          <button type="submit" className="button">
            Search
          </button>
        </form>
        {isScripted && (
          <SearchPanel
            state={state}
            onChoose={(suggestion) =>
              suggestion.path.startsWith("/search?") && keepSearch(state.query || suggestion.label)
            }
            onForget={() => {
              forgetSearches();
              suggest();
              field.current?.focus();
            }}
            onClose={() => {
              close();
              field.current?.focus();
            }}
          />
        )}
        {/* It is there before there is anything to say: only then is it read out. */}
        <p role="status" className="visually-hidden">
          {announcement(state)}
        </p>
      </div>
    </search>
  );
}
