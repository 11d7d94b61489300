import { reportFile } from "./load-report.server.ts";
import type { Route } from "./+types/money-csv";

export const loader = (args: Route.LoaderArgs) => reportFile(args, "money", "/admin/reports/money");
