import { isReportName } from "@farthing/core/reports/reports.ts";
import { refused } from "../../guard.server.ts";
import { loadReport } from "./load-report.server.ts";
import { ReportScreen } from "./report-screen.tsx";
import type { Route } from "./+types/report-page";

export async function loader(args: Route.LoaderArgs) {
  const { report } = args.params;
  // What the ledger says has a page with a permission of its own.
  if (!isReportName(report) || report === "money")
    throw refused(404, { title: "No such report", text: "Choose one of the list of reports." });
  return await loadReport(args, report);
}

export default function ReportPage({ loaderData }: Route.ComponentProps) {
  return <ReportScreen loaded={loaderData} />;
}
