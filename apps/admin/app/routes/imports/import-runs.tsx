import type { ListedRun } from "@farthing/core/catalogue-imports/import-runs.server.ts";
import { Moment } from "../../kit/moment.tsx";

const stages = {
  waiting: () => "Waiting for its turn: one import runs at a time",
  reading: (rows: string) => `Reading: ${rows} records so far`,
  storing: (rows: string) => `Storing ${rows} records`,
} as const;

/** The imports under way. */
export function ImportRuns({ runs, mayStop }: { runs: ListedRun[]; mayStop: boolean }) {
  return (
    <section className="panel" aria-labelledby="runs">
      <h2 id="runs">Under way</h2>
      <ul className="plain-list">
        {runs.map(({ id, source, startedBy, startedAt, stage, rows, isStopped }) => (
          <li key={id}>
            <p>
              <strong>{source}</strong>, from {startedBy}, since <Moment at={startedAt} />.{" "}
              {isStopped ? "Being stopped." : `${stages[stage](rows.toLocaleString("en-GB"))}.`}
            </p>
            {mayStop && !isStopped && (
              <form method="post" action={`/admin/imports?stop=${id}`} className="acts">
                <button className="button" aria-label={`Stop the import of ${source}`}>
                  Stop
                </button>
                <span className="soft">Nothing of it is kept.</span>
              </form>
            )}
          </li>
        ))}
      </ul>
      <p>
        <a href="/admin/imports">Look again</a>
      </p>
    </section>
  );
}
