/**
 * Links to the previous and the next page of a listing. Draws nothing for a single page. `pathOf` returns a
 * page's address.
 */
export function Pager({ page, pageCount, pathOf }: { page: number; pageCount: number; pathOf(page: number): string }) {
  if (pageCount <= 1) return null;
  return (
    <nav className="pager" aria-label="Pages">
      {page > 1 ? (
        <a className="button is-quiet" rel="prev" href={pathOf(page - 1)}>
          Previous<span className="visually-hidden"> page</span>
        </a>
      ) : (
        <span />
      )}
      <p className="figures">
        Page {page} of {pageCount}
      </p>
      {page < pageCount ? (
        <a className="button is-quiet" rel="next" href={pathOf(page + 1)}>
          Next<span className="visually-hidden"> page</span>
        </a>
      ) : (
        <span />
      )}
    </nav>
  );
}
