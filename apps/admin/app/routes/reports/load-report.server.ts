import { findBrandNames } from "@farthing/core/members/operators.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { findReportBrand, findSummedUntil } from "@farthing/core/reports/queries.server.ts";
import { readRange } from "@farthing/core/reports/report-range.ts";
import { reportCsv, type DrawnReport } from "@farthing/core/reports/report-table.ts";
import { readReport } from "@farthing/core/reports/report-tables.server.ts";
import { reportWords, type ReportName } from "@farthing/core/reports/reports.ts";
import { londonDayOf } from "@farthing/core/reports/rules.ts";
import { sumsReader } from "@farthing/core/telemetry/sums-reader.server.ts";
import { data, redirect, type RouterContextProvider } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";

interface Args {
  request: Request;
  context: Readonly<RouterContextProvider>;
}

/** What the form of a report has, as text. */
export interface ReportFilters {
  brand: string;
  from: string;
  to: string;
  clicks: string;
}
export type ReportFaults = Partial<Record<keyof ReportFilters, string>>;

export interface LoadedReport {
  name: ReportName;
  filters: ReportFilters;
  faults: ReportFaults;
  /** Null where the filters have faults. */
  report: DrawnReport | null;
  brands: { slug: string; name: string }[];
  today: string;
  maySeeMoney: boolean;
  summedUntil: Date | null;
}

/** Lines of searches and offers on a page, and in a file. */
const MAX_LINES = 100;
const MAX_FILE_LINES = 2_000;

/** Reads the report that the address asks for; 422 where its filters have faults. */
export async function loadReport(args: Args, name: ReportName) {
  const { db, now } = args.context.get(servicesContext);
  const [read, brands, summedUntil] = await Promise.all([
    readFilters(args, name),
    findBrandNames(db),
    findSummedUntil(db),
  ]);
  const { filters, range, minClicks } = read;
  const report = range && (await readFrom(args, name, { range, minClicks, max: MAX_LINES }));
  const loaded: LoadedReport = {
    ...{ name, filters, report, brands, summedUntil },
    faults: read.faults,
    maySeeMoney: may(args.context.get(operatorContext).role, "money.see"),
    today: londonDayOf(now()),
  };
  return data(loaded, { status: report ? 200 : 422 });
}

/** Answers with the report as a file. Filters with faults lead to the page, which says what is wrong. */
export async function reportFile(args: Args, name: ReportName, page: string): Promise<Response> {
  const { filters, range, minClicks } = await readFilters(args, name);
  if (!range) return redirect(`${page}${new URL(args.request.url).search}`, 303);
  const report = await readFrom(args, name, { range, minClicks, max: MAX_FILE_LINES });
  const parts = [name, filters.brand || "all", range.from, range.to];
  return new Response(reportCsv(report), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${parts.join("-")}.csv"`,
    },
  });
}

function readFrom({ context }: Args, name: ReportName, asked: Parameters<typeof readReport>[2]): Promise<DrawnReport> {
  const { readStale } = context.get(servicesContext);
  return readStale((db) => readReport(name, { db, telemetry: sumsReader(db) }, asked));
}

async function readFilters({ request, context }: Args, name: ReportName) {
  const { db, now } = context.get(servicesContext);
  const { searchParams } = new URL(request.url);
  const typed = (field: keyof ReportFilters) => (searchParams.get(field) ?? "").trim().slice(0, 100);
  const [brand, clicks] = [typed("brand"), typed("clicks")];
  const days = { from: typed("from"), to: typed("to") };
  const { defaultDays } = reportWords[name];
  const range = readRange(days, { today: londonDayOf(now()), defaultDays });
  const brandId = brand === "" ? null : await findReportBrand(db, { slug: brand });
  const faults: ReportFaults = { ...(range.ok ? {} : range.faults) };
  if (brand !== "" && brandId === null) faults.brand = "There is no such brand. Choose one of the list.";
  if (!/^(?:[1-9]\d{0,5})?$/.test(clicks)) faults.clicks = "Give a whole number of clicks, 1 or more.";
  const isFit = range.ok && Object.keys(faults).length === 0;
  return {
    faults,
    filters: { brand, clicks, ...(range.ok ? { from: range.from, to: range.to } : days) },
    range: isFit ? { brandId, from: range.from, to: range.to } : null,
    minClicks: Number(clicks || 1),
  };
}
