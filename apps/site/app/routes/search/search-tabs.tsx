import { type ListParameters, listPath } from "../../ui/lists/list-path.ts";

/** Which part of what was found is shown. */
export type SearchShow = "all" | "offers" | "retailers";

/** Parts of a search as links: each has its address, and what the offers are narrowed to is kept. Nothing where there is one part only. */
export function SearchTabs({
  parameters,
  show,
  offers,
  offersAreMore,
  retailers,
}: {
  parameters: ListParameters;
  show: SearchShow;
  offers: number;
  offersAreMore: boolean;
  retailers: number;
}) {
  if (show === "all" && (offers === 0 || retailers === 0)) return null;
  const tabs: { value: SearchShow; words: string; count: string | null }[] = [
    { value: "all", words: "Everything", count: null },
    { value: "offers", words: "Offers", count: offersAreMore ? `${offers}+` : String(offers) },
    // Retailers come with the first page of results.
    { value: "retailers", words: "Retailers", count: retailers > 0 ? String(retailers) : null },
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
