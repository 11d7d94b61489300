import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import { type ComponentType, useRef, useState } from "react";
import { lazyChunks } from "../../lazy-chunks.ts";
import { keepSearch } from "./recent-searches.ts";
import type Suggestions from "./search-suggestions.tsx";

/**
 * The search, a plain GET form. The script of its suggestions loads when the pointer enters it or it gets the focus;
 * before that, and without script, the form works as it is. A page has one, in the header or, on the search pages, in
 * the page.
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
  const field = useRef<HTMLInputElement>(null);
  const isAwake = useRef(false);
  const [isWanted, setWanted] = useState(false);
  // Wrapped in an object: setState would call a bare component as an updater function.
  const [loaded, setLoaded] = useState<{ Suggestions: ComponentType<Parameters<typeof Suggestions>[0]> }>();

  function wake() {
    if (isAwake.current) return;
    isAwake.current = true;
    loadModule(lazyChunks.searchSuggestions, () => import("./search-suggestions.tsx")).then(
      (module) => setLoaded({ Suggestions: module.default }),
      () => (isAwake.current = false), // not loaded: the next touch tries again, and searching works meanwhile
    );
  }
  const want = () => setWanted(true);

  return (
    <search className={isLarge ? "search is-large" : "search"} onPointerEnter={wake} onFocus={wake}>
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
            role="searchbox"
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
            onClick={want}
            onInput={want}
          />
          <button type="submit" className="button">
            Search
          </button>
        </form>
        {loaded && <loaded.Suggestions field={field} opensAtOnce={isWanted} isInHeader={isInHeader} />}
      </div>
    </search>
  );
}
