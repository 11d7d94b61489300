import { loadReport } from "./load-report.server.ts";
import { ReportScreen } from "./report-screen.tsx";
import type { Route } from "./+types/money-page";

export const loader = (args: Route.LoaderArgs) => loadReport(args, "money");

export default function MoneyPage({ loaderData }: Route.ComponentProps) {
  return <ReportScreen loaded={loaderData} />;
}
