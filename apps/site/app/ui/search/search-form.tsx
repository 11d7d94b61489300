/**
 * The search, a plain GET form. The script of its suggestions loads when the pointer enters it or it gets the focus
 * (search-form.behaviour.ts); before that, and without script, the form works as it is. A page has one, in the header
 * or, on the search pages, in the page.
 */
export function SearchForm({ query = "", isLarge = false }: { query?: string; isLarge?: boolean }) {
  return (
    <search className={isLarge ? "search is-large" : "search"}>
      <div className="search-box">
        <form action="/search" method="get" className={isLarge ? "search-form is-large" : "search-form"}>
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
            id="search-field"
            type="text"
            role="searchbox"
            inputMode="search"
            name="q"
            defaultValue={query}
            maxLength={200}
            placeholder="Retailer, category or offer"
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            enterKeyHint="search"
            spellCheck={false}
          />
          <button type="submit" className="button" data-tracking="search">
            Search
          </button>
        </form>
        <div className="search-suggestions" />
      </div>
    </search>
  );
}
