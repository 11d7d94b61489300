import { reportCsv } from "@farthing/core/reports/report-table.ts";
import { redirect } from "react-router";
import { readUsage } from "./read-usage.server.ts";
import type { Route } from "./+types/usage-csv";

/** The usage as a file. It has sums, which name nobody. */
export async function loader(args: Route.LoaderArgs) {
  const { partner, filters, report } = await readUsage(args, args.params.partner);
  const { mode, by, from, to } = filters;
  if (!report) return redirect(`/admin/partners/${partner.publicId}/usage${new URL(args.request.url).search}`, 303);
  return new Response(reportCsv(report), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="usage-${partner.publicId}-${mode}-by-${by}-${from}-${to}.csv"`,
    },
  });
}
