/** The search: a plain GET form. There is one on a page, in the header or, where searching is what the page is for, in the page. */
export function SearchForm({ query = "", isLarge = false }: { query?: string; isLarge?: boolean }) {
  return (
    <search>
      <form action="/search" method="get" className={isLarge ? "search-form is-large" : "search-form"}>
        <label htmlFor="search-field" className="visually-hidden">
          Search
        </label>
        <svg className="search-icon" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
          <path
            d="M8.5 2.500a6 6 0 1 1 0 12 6 6 0 0 1 0-12Zm4.600 10.600 4.400 4.400"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinecap="round"
          />
        </svg>
        <input
          id="search-field"
          type="search"
          name="q"
          defaultValue={query}
          key={query}
          maxLength={200}
          placeholder="Retailer, category or offer"
          autoComplete="off"
          enterKeyHint="search"
          spellCheck={false}
        />
        <button type="submit" className="button">
          Search
        </button>
      </form>
    </search>
  );
}
