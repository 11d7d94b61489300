import { listPath } from "../../ui/lists/list-path.ts";
import { CategoryChips } from "../../ui/cards/category-tile.tsx";
import { EmptyState } from "../../ui/text/empty-state.tsx";

/** Shown where nothing was found or no query was given: what was tried, what else to try, and somewhere to go. */
export function SearchEmpty({
  query,
  didYouMean,
  categories,
}: {
  query: string;
  /** A word that may be meant and that finds something. */
  didYouMean: string | null;
  categories: { slug: string; name: string }[];
}) {
  return (
    <EmptyState title={query ? `Nothing found for “${query}”` : "Search, or start from a category"}>
      {didYouMean && (
        <p role="status">
          Did you mean <a href={listPath("/search", { q: didYouMean })}>{didYouMean}</a>?
        </p>
      )}
      {query && (
        <div className="search-tips">
          <p>We looked through every shop, category and offer, and forgave slips of the keyboard. You could try:</p>
          <ul>
            <li>fewer words, or more general ones: “boots”, not “size 6 brown boots”</li>
            <li>the name of the shop</li>
            <li>a category, where there may be something like it</li>
          </ul>
        </div>
      )}
      {categories.length > 0 && <CategoryChips categories={categories.slice(0, 10)} />}
      <p className="button-row">
        <a className="button is-quiet" href="/retailers">
          All retailers, A to Z
        </a>
      </p>
    </EmptyState>
  );
}
