import { partnerModes } from "@farthing/core/partners/mode.ts";
import { data } from "react-router";
import { Chart } from "../../kit/chart.tsx";
import { FaultSummary } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { RangeFields, RangeLinks } from "../../kit/range-fields.tsx";
import { ReportTableView } from "../../kit/report-table-view.tsx";
import { readUsage } from "./read-usage.server.ts";
import type { Route } from "./+types/usage-page";

export async function loader(args: Route.LoaderArgs) {
  const { partner, ...usage } = await readUsage(args, args.params.partner);
  const { publicId, name } = partner;
  return data({ ...usage, publicId, name }, { status: usage.report ? 200 : 422 });
}

export default function UsagePage({
  loaderData: { publicId, name, filters, faults, report, today },
}: Route.ComponentProps) {
  const partnerPath = `/admin/partners/${publicId}`;
  const path = `${partnerPath}/usage`;
  return (
    <>
      <PageHead
        title={`Usage of ${name}`}
        crumbs={[
          { label: "Partners", href: "/admin/partners" },
          { label: name, href: partnerPath },
        ]}
        intro="Payments count when they were begun, with what became of them until now; deliveries when their event happened."
      >
        {report && (
          <a href={`${path}.csv?${queryOf(filters)}`} download>
            Export CSV
          </a>
        )}
      </PageHead>
      <FaultSummary faults={faults} says="No figures were read:" />
      <div className="toolbar">
        <form className="filters" action={path}>
          <div className="filter">
            <label htmlFor="mode">Payments</label>
            <select id="mode" name="mode" defaultValue={filters.mode}>
              {partnerModes.map((mode) => (
                <option key={mode}>{mode}</option>
              ))}
            </select>
          </div>
          <div className="filter">
            <label htmlFor="by">By</label>
            <select id="by" name="by" defaultValue={filters.by}>
              <option>day</option>
              <option>month</option>
            </select>
          </div>
          <RangeFields filters={filters} faults={faults} />
          <p className="acts">
            <button className="button">Show</button>
          </p>
        </form>
        <RangeLinks today={today} filters={filters} to={(range) => `${path}?${queryOf({ ...filters, ...range })}`} />
      </div>
      {report && (
        <div className="stack">
          <div className="charts">
            {report.charts.map((chart) => (
              <Chart key={chart.title} chart={chart} />
            ))}
          </div>
          <ReportTableView table={report} label="usage" />
        </div>
      )}
    </>
  );
}

function queryOf(filters: Record<string, string>): string {
  return new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== "")).toString();
}
