import type { RootData } from "../../root-data.ts";
import { SearchForm } from "../search/search-form.tsx";
import { Wordmark } from "./wordmark.tsx";

/**
 * The top of a page in a partner's frame, in place of the site's header: the way to the front page and the search, and
 * the same page in a tab of its own. Account and menu are left out, because nobody signs in inside another site (W9).
 */
export function FrameBar({ data, hasSearch }: { data: RootData; hasSearch: boolean }) {
  return (
    <header id="site-header" className="site-header frame-bar" tabIndex={-1}>
      <div className="wrap site-header-bar">
        <Wordmark name={data.brand.name} />
        {hasSearch && <SearchForm />}
        <a className="frame-bar-out" href={data.origin + data.address} target="_blank" rel="noopener">
          Open in a new tab
        </a>
      </div>
    </header>
  );
}

/** The foot of a page in a partner's frame: whose page it is, and the legal pages. */
export function FrameFoot({ data, partner }: { data: RootData; partner: string }) {
  const { name, legalPages } = data.brand;
  return (
    <footer className="frame-foot">
      <div className="wrap">
        <p>
          {name}, shown to visitors of {partner}
        </p>
        {legalPages.length > 0 && (
          <nav aria-label="Legal">
            <ul role="list">
              {legalPages.map(({ slug, title }) => (
                <li key={slug}>
                  <a href={`/legal/${slug}`}>{title}</a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
    </footer>
  );
}
