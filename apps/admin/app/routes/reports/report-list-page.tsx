import { may } from "@farthing/core/operators/permissions.ts";
import { reportNames, reportWords } from "@farthing/core/reports/reports.ts";
import { operatorContext } from "../../admin-context.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { reportPath } from "./report-screen.tsx";
import type { Route } from "./+types/report-list-page";

export function loader({ context }: Route.LoaderArgs) {
  return { maySeeMoney: may(context.get(operatorContext).role, "money.see") };
}

export default function ReportListPage({ loaderData: { maySeeMoney } }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Reports"
        intro="What the club’s figures were, by brand and days. Each is a chart, a table and a file."
      />
      <ul className="panels plain-list">
        {reportNames
          .filter((name) => name !== "money" || maySeeMoney)
          .map((name) => (
            <li key={name} className="panel">
              <h2>
                <a href={reportPath(name)}>{reportWords[name].title}</a>
              </h2>
              <p>{reportWords[name].about}</p>
            </li>
          ))}
      </ul>
    </>
  );
}
