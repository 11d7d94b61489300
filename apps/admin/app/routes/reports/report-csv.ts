import { isReportName } from "@farthing/core/reports/reports.ts";
import { refused } from "../../guard.server.ts";
import { reportFile } from "./load-report.server.ts";
import type { Route } from "./+types/report-csv";

export async function loader(args: Route.LoaderArgs) {
  const { report } = args.params;
  if (!isReportName(report) || report === "money")
    throw refused(404, { title: "No such report", text: "Choose one of the list of reports." });
  return await reportFile(args, report, `/admin/reports/${report}`);
}
