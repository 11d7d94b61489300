import { findQueueStates, MAX_COUNTED } from "@farthing/core/background-work/overview.server.ts";
import { isLate } from "@farthing/core/background-work/rules.ts";
import { findThresholds } from "@farthing/core/thresholds/threshold-values.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { Badge } from "../../kit/facts.tsx";
import { ageText, Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import type { Route } from "./+types/work-page";

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const [queues, values] = await Promise.all([findQueueStates(db, { now: now() }), findThresholds(db)]);
  return { queues, max: MAX_COUNTED, now: now(), minutes: values["work-late-minutes"] };
}

export default function WorkPage({ loaderData: { queues, max, now, minutes } }: Route.ComponentProps) {
  const counted = (count: number) => (count >= max ? `${max} or more` : count);
  return (
    <>
      <PageHead
        title="Background work"
        intro="What the server does by itself. Work that fails is tried again; what is given up after its last attempt waits here for you."
      />
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Table of queues">
        <table className="rows">
          <caption className="away">Queues of background work</caption>
          <thead>
            <tr>
              <th scope="col">Queue</th>
              <th scope="col" className="number">
                Given up
              </th>
              <th scope="col" className="number">
                Failing
              </th>
              <th scope="col" className="number">
                Due now
              </th>
              <th scope="col">Next due</th>
            </tr>
          </thead>
          <tbody>
            {queues.map(({ name, label, does, due, failing, givenUp, nextDue }) => (
              <tr key={name}>
                <th scope="row">
                  <a href={`/admin/background-work/${name}`}>{label}</a>
                  <p className="soft is-light">{does}</p>
                </th>
                <td className="number">{givenUp > 0 ? <Badge tone="bad">{counted(givenUp)}</Badge> : 0}</td>
                <td className="number">
                  {failing > 0 ? <a href={`/admin/background-work/${name}?state=failing`}>{counted(failing)}</a> : 0}
                </td>
                <td className="number">
                  {due > 0 ? <a href={`/admin/background-work/${name}?state=due`}>{counted(due)}</a> : 0}
                </td>
                <td>
                  <Moment at={nextDue} />
                  {nextDue && nextDue < now && (
                    <p className="soft">
                      {isLate(nextDue, { now, minutes }) ? (
                        <Badge tone="bad">behind by {ageText(nextDue, now)}</Badge>
                      ) : (
                        <>late by {ageText(nextDue, now)}</>
                      )}
                    </p>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
