import { reportNames, reportWords, type ReportName } from "@farthing/core/reports/reports.ts";
import { Chart } from "../../kit/chart.tsx";
import { FaultSummary } from "../../kit/fields.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { RangeFields, RangeLinks } from "../../kit/range-fields.tsx";
import { ReportTableView } from "../../kit/report-table-view.tsx";
import type { LoadedReport } from "./load-report.server.ts";

/** Reports whose tables have room beside their chart. */
const NARROW = 5;

/** A report: what it counts, for which brand and days, its charts and its table. */
export function ReportScreen({ loaded }: { loaded: LoadedReport }) {
  const { name, report, faults, filters } = loaded;
  const { title, about } = reportWords[name];
  const path = reportPath(name);
  const isNarrow = report !== null && report.columns.length <= NARROW;
  return (
    <>
      <PageHead title={title} crumbs={[{ label: "Reports", href: "/admin/reports" }]} intro={about}>
        {report && (
          <a href={`${path}/table.csv?${queryOf(filters)}`} download>
            Export CSV
          </a>
        )}
      </PageHead>
      <ReportNav loaded={loaded} />
      <FaultSummary faults={faults} says="No figures were read:" />
      <Filters loaded={loaded} />
      {report &&
        (report.rows.length === 0 ? (
          <div className="empty">
            <p>Nothing in this range. Choose other days{filters.brand && " or another brand"}.</p>
          </div>
        ) : (
          <div className={isNarrow ? "split" : "stack"}>
            <div className={isNarrow ? "stack" : "charts"}>
              {report.charts.map((chart) => (
                <Chart key={chart.title} chart={chart} />
              ))}
            </div>
            <ReportTableView table={report} label={title.toLowerCase()} />
          </div>
        ))}
      {report && <Counted loaded={loaded} />}
    </>
  );
}

export function reportPath(name: ReportName): string {
  return `/admin/reports/${name}`;
}

/** The way to the other reports, for the same brand and days. */
function ReportNav({ loaded: { name, filters, faults, maySeeMoney } }: { loaded: LoadedReport }) {
  const isFit = Object.keys(faults).length === 0;
  return (
    <nav aria-label="Reports" className="tabs">
      <ul>
        {reportNames
          .filter((each) => each !== "money" || maySeeMoney)
          .map((each) => {
            // Months and days differ in what they are read for, and so in their range.
            const query =
              isFit && (each === "money") === (name === "money") ? `?${queryOf({ ...filters, clicks: "" })}` : "";
            return (
              <li key={each}>
                <a href={`${reportPath(each)}${query}`} aria-current={each === name ? "page" : undefined}>
                  {reportWords[each].title}
                </a>
              </li>
            );
          })}
      </ul>
    </nav>
  );
}

function Filters({ loaded: { name, filters, faults, brands, today } }: { loaded: LoadedReport }) {
  const path = reportPath(name);
  const invalid = (field: keyof typeof filters) => (faults[field] ? { "aria-invalid": true } : {});
  return (
    <div className="toolbar">
      <form className="filters" action={path}>
        <div className="filter">
          <label htmlFor="brand">Brand</label>
          <select id="brand" name="brand" defaultValue={filters.brand} {...invalid("brand")}>
            <option value="">All brands</option>
            {brands.map((brand) => (
              <option key={brand.slug} value={brand.slug}>
                {brand.name}
              </option>
            ))}
          </select>
        </div>
        <RangeFields filters={filters} faults={faults} />
        {name === "offers" && (
          <div className="filter">
            <label htmlFor="clicks">Clicks at least</label>
            <input
              id="clicks"
              name="clicks"
              inputMode="numeric"
              size={6}
              defaultValue={filters.clicks}
              {...invalid("clicks")}
            />
          </div>
        )}
        <p className="acts">
          <button className="button">Show</button>
        </p>
      </form>
      <RangeLinks today={today} filters={filters} to={(range) => `${path}?${queryOf({ ...filters, ...range })}`} />
    </div>
  );
}

/** How far the figures go, and whom they count: two reports that differ have a reason. */
function Counted({ loaded: { name, summedUntil } }: { loaded: LoadedReport }) {
  if (name === "money")
    return (
      <p className="soft">
        Days are London’s; the first and the last month have the days of the range only. It is what the ledger has
        booked until now.
      </p>
    );
  if (name === "members") return <p className="soft">Days are London’s. A member counts at the brand they joined.</p>;
  if (name === "searches" || name === "searches-without-result")
    return (
      <p className="soft">
        Counts visitors who agreed to be counted. Results are what the search finds for a visitor of the brand, when it
        was looked up.
      </p>
    );
  return (
    <p className="soft">
      Views, redemptions and searches count visitors who agreed to be counted; everything else counts all members, so
      that a step can be larger than the one before it. Purchases count on the day of their click.{" "}
      {summedUntil && (
        <>
          Clicks and cashback until <Moment at={summedUntil} />.
        </>
      )}
    </p>
  );
}

function queryOf(filters: LoadedReport["filters"]): string {
  return new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== "")).toString();
}
