import { findNeeds } from "@farthing/core/needs/find-needs.server.ts";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { ageText } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import type { Route } from "./+types/home-page";

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const { role, name } = context.get(operatorContext);
  return { name, now: now(), needs: await findNeeds(db, { role, now: now() }) };
}

export default function HomePage({ loaderData: { needs, now } }: Route.ComponentProps) {
  const waiting = needs.filter(({ count }) => count > 0);
  return (
    <>
      <PageHead title="Home" />
      <section aria-labelledby="needs" className="narrow-gap">
        <h2 id="needs">What needs a person</h2>
        {waiting.length === 0 ? (
          <p className="empty">Nothing waits for you.</p>
        ) : (
          <ul className="needs">
            {waiting.map(({ key, label, path, count, oldestAt }) => (
              <li key={key}>
                <a href={path}>
                  <strong>{count}</strong> <span>{label}</span>
                  {oldestAt && <small>the oldest for {ageText(oldestAt, now)}</small>}
                </a>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
