import { type ListParameters, listPath } from "../../ui/lists/list-path.ts";

/** The part of the results that is shown. */
export type SearchShow = "all" | "offers" | "retailers";

/**
 * Links to the parts of a search. Each has its address and keeps the filters of the offers. Nothing where there is only
 * one part.
 */
export function SearchTabs({
  parameters,
  show,
  offers,
  offersAreMore,
  retailers,
  retailersAreMore,
}: {
  parameters: ListParameters;
  show: SearchShow;
  offers: number;
  offersAreMore: boolean;
  retailers: number;
  retailersAreMore: boolean;
}) {
  if (show === "all" && (offers === 0 || retailers === 0)) return null;
  const tabs: { value: SearchShow; words: string; count: string | null }[] = [
    { value: "all", words: "Everything", count: null },
    { value: "offers", words: "Offers", count: offersAreMore ? `${offers}+` : String(offers) },
    // Retailers come with the first page of results.
    {
      value: "retailers",
      words: "Retailers",
      count: retailers === 0 ? null : retailersAreMore ? `${retailers}+` : String(retailers),
    },
  ];
  return (
    <nav className="kind-links search-tabs" aria-label="Parts of the results">
      <ul role="list">
        {tabs.map(({ value, words, count }) => (
          <li key={value}>
            <a
              href={listPath("/search", parameters, { show: value === "all" ? null : value })}
              aria-current={value === show ? "page" : undefined}
            >
              {words} {count !== null && <span className="count">{count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
