import { formatPence } from "@farthing/core/money/money.ts";
import { findDailyFigures, FIGURE_DAYS, type DayFigures } from "@farthing/core/needs/daily-figures.server.ts";
import { findNeeds } from "@farthing/core/needs/find-needs.server.ts";
import { may, type Role } from "@farthing/core/operators/permissions.ts";
import { pageEntries, pages } from "../../../pages.ts";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { BarChart } from "../../kit/bar-chart.tsx";
import { ageText, momentText } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import type { Route } from "./+types/home-page";

export async function loader({ context }: Route.LoaderArgs) {
  const { db, readStale, now } = context.get(servicesContext);
  const { role } = context.get(operatorContext);
  const [needs, days] = await Promise.all([
    findNeeds(db, { role, now: now() }),
    readStale((standby) => findDailyFigures(standby, { now: now() })),
  ]);
  return {
    now: now(),
    needs,
    days: days.map(({ day, joined, clicks, tracked }) => ({ day, joined, clicks, tracked })),
    money: moneyOf(role, days),
    maySeeReports: may(role, pages["/admin/reports/:report"].see),
  };
}

/** What cashback and payouts sum up to, for those who may see the report of them; null: for nobody else. */
function moneyOf(role: Role, days: readonly DayFigures[]) {
  if (!may(role, pages["/admin/reports/money"].see)) return null;
  return days.map(({ day, confirmedPence, paidPence }) => ({ day, confirmedPence, paidPence }));
}

const known = new Set<string>(pageEntries.map(([path]) => path));
const short = (day: string) => momentText(new Date(`${day}T12:00:00Z`), true).replace(/ \d{4}$/, "");

export default function HomePage({ loaderData: { needs, days, money, now, maySeeReports } }: Route.ComponentProps) {
  const waiting = needs.filter(({ count }) => count > 0);
  const points = (value: (day: (typeof days)[number]) => number) =>
    days.map((day) => ({ label: short(day.day), value: value(day) }));
  return (
    <>
      <PageHead title="Home" />
      <section aria-labelledby="needs" className="block">
        <h2 id="needs">What needs a person</h2>
        {waiting.length === 0 ? (
          <p className="empty">Nothing waits for you.</p>
        ) : (
          <ul className="needs">
            {waiting.map(({ key, ...need }) => (
              <li key={key}>
                <Need {...need} now={now} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="figures" className="block">
        <h2 id="figures">The last {FIGURE_DAYS} days</h2>
        <p>
          <a href="/admin/reports">All reports</a>
        </p>
        <div className="panels is-small">
          <BarChart title="New members" points={points(({ joined }) => joined)} />
          <BarChart title="Clicks to retailers" points={points(({ clicks }) => clicks)} />
          <BarChart title="Purchases tracked" points={points(({ tracked }) => tracked)} />
          {money && (
            <>
              <BarChart
                title="Cashback confirmed"
                points={money.map(({ day, confirmedPence }) => ({ label: short(day), value: confirmedPence }))}
                show={formatPence}
              />
              <BarChart
                title="Paid to members"
                points={money.map(({ day, paidPence }) => ({ label: short(day), value: paidPence }))}
                show={formatPence}
              />
            </>
          )}
        </div>
        <p className="soft">
          A purchase counts here on the day on which it was tracked, however long ago its click was.
          {maySeeReports && (
            <>
              {" "}
              <a href="/admin/reports/funnel-days">The funnel by day</a> counts it on the day of its click.
            </>
          )}
        </p>
      </section>
    </>
  );
}

function Need({
  label,
  path,
  count,
  oldestAt,
  now,
}: {
  label: string;
  path: string;
  count: number;
  oldestAt: Date | null;
  now: Date;
}) {
  const words = (
    <>
      <strong>{count}</strong> <span>{label}</span>
      {oldestAt && <small>the oldest for {ageText(oldestAt, now)}</small>}
    </>
  );
  // A queue whose screen another section brings is not a link before it is there.
  return known.has(path.split("?", 1)[0] ?? path) ? <a href={path}>{words}</a> : <span className="need">{words}</span>;
}
