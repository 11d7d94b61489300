import { actionInWords } from "@farthing/core/audit/actions.ts";
import { findHistory, findPastState } from "@farthing/core/audit/queries.server.ts";
import { isSubjectType } from "@farthing/core/audit/subjects.ts";
import { endOfLondonDay } from "@farthing/core/catalogue/london-time.ts";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { Facts, Notice } from "../../kit/facts.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { shortId, subjectName } from "./audit-list.tsx";
import { Changes, nameInWords, shownValue } from "./changes.tsx";
import type { Route } from "./+types/record-history-page";

export async function loader({ context, params: { type, id }, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  if (!isSubjectType(type)) throw refused(404, { title: "Not found", text: "The log has no records of this kind." });
  const on = new URL(request.url).searchParams.get("on") ?? "";
  // What the record was when that day was over.
  const at = endOfLondonDay(on);
  const [entries, past] = await Promise.all([
    findHistory(db, { type, id }),
    at ? findPastState(db, { type, id, at }) : null,
  ]);
  return { entries, past, on: at ? on : "", id, type, name: subjectName(type) };
}

export default function RecordHistoryPage({ loaderData }: Route.ComponentProps) {
  const { entries, past, on, id, type, name } = loaderData;
  const path = `/admin/audit/${type}/${encodeURIComponent(id)}`;
  return (
    <>
      <PageHead
        title={`History of ${name.toLowerCase()} ${shortId(id)}`}
        crumbs={[{ label: "Audit log", href: "/admin/audit" }]}
        intro={id}
      />
      <form action={path} className="filters">
        <div className="filter">
          <label htmlFor="on">What was it at the end of</label>
          <input id="on" name="on" type="date" defaultValue={on} required />
        </div>
        <p className="acts">
          <button className="button">Show</button>
        </p>
      </form>
      {past && (
        <section className="panel" aria-labelledby="past">
          <h2 id="past">
            At the end of <Moment at={`${on}T12:00:00Z`} isDay />
          </h2>
          {!past.known ? (
            <Notice>The log has nothing of this record: no operator has changed it.</Notice>
          ) : past.state === null ? (
            <Notice>It did not exist.</Notice>
          ) : (
            <>
              <Facts
                facts={Object.entries(past.state).map(([key, value]) => ({
                  label: nameInWords(key),
                  value: shownValue(value, key),
                }))}
              />
              <p className="soft">
                {past.from === "entry-before" ? "As left by" : "As found by"} entry {past.entry.seq}. What members
                change themselves is not in the log.
              </p>
            </>
          )}
        </section>
      )}
      <ol className="timeline">
        {entries.map((entry) => (
          <li key={entry.seq}>
            <p>
              <Moment at={entry.at} /> <strong>{actionInWords(entry.action)}</strong> by {entry.actor}
              {entry.why && <>: {entry.why}</>}
            </p>
            <Changes before={entry.before} after={entry.after} />
          </li>
        ))}
      </ol>
      {entries.length === 0 && <p className="empty">Nothing has been done to this record from the admin.</p>}
    </>
  );
}
