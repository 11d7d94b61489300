/** Links to the newer and the older page of a member's history. Draws nothing where one page holds it all. */
export function HistoryPager({
  newer,
  older,
  pathOf,
}: {
  newer: string | null;
  older: string | null;
  pathOf(place: { before: string } | { after: string }): string;
}) {
  if (newer === null && older === null) return null;
  return (
    <nav className="pager" aria-label="Pages of your purchases">
      {newer === null ? (
        <span />
      ) : (
        <a className="button is-quiet" rel="prev" href={pathOf({ after: newer })}>
          Newer<span className="visually-hidden"> purchases</span>
        </a>
      )}
      <span />
      {older === null ? (
        <span />
      ) : (
        <a className="button is-quiet" rel="next" href={pathOf({ before: older })}>
          Older<span className="visually-hidden"> purchases</span>
        </a>
      )}
    </nav>
  );
}
