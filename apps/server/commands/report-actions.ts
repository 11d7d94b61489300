import { commandLine } from "../command-line.ts";
import { rebuildOfferSums, sumOffers } from "@farthing/core/reports/offer-sums.server.ts";
import { rebuildMoneySums } from "@farthing/core/reports/money-sums.server.ts";
import { findReportBrand } from "@farthing/core/reports/queries.server.ts";
import { readReport } from "@farthing/core/reports/report-tables.server.ts";
import {
  labelWithUnit,
  plainCell,
  reportCsv,
  type ReportOptions,
  type ReportTable,
} from "@farthing/core/reports/report-table.ts";
import { isReportName } from "@farthing/core/reports/reports.ts";
import { isDay, londonDayOf } from "@farthing/core/reports/rules.ts";
import type { TelemetryReader } from "@farthing/core/telemetry/reader.ts";
import { addDays } from "@farthing/core/telemetry/rules.ts";
import { rebuildSums } from "@farthing/core/telemetry/sums.server.ts";
import { rowsReader, sumsReader } from "@farthing/core/telemetry/sums-reader.server.ts";
import type { Db } from "@farthing/db/client.ts";

export const REPORT_USAGE = `${commandLine("report <report> [options]")}

  funnel              from an offer's page to confirmed cashback: how many of each step
  funnel-days         the same by brand and day
  searches            what was searched for most, and how much it finds
  searches-without-result   what was searched for and finds nothing
  offers              offers by conversion: purchases tracked for each click
  brands              brands side by side
  members             members who joined and left, by day
  money               what the ledger booked for members, by month
  rebuild             makes the sums that reports read from events, clicks, cashback and the ledger again

  --brand <name>      one brand; all by default
  --from <day>, --to <day>   days in London, both included, such as 2026-11-01; the last 28 days by default
  --max <number>      lines of searches and offers; 50 by default
  --min-clicks <number>      leaves out offers with fewer clicks; 1 by default
  --source <where>    sums (the default), rows, or clickhouse: where telemetry is read
  --csv               CSV for spreadsheets

Views, redemptions and searches count visitors who agreed to telemetry; reveals, clicks and cashback count all members.`;

/** An error that the person at the command line can fix; printed without a stack. */
export class ReportActionError extends Error {}

export interface ReportActionParts {
  db: Db;
  /** The copy in ClickHouse; null: not set up. */
  clickhouse: TelemetryReader | null;
  now(): Date;
}

/** Runs `npm run report` with its typed words. Returns what to print. @throws ReportActionError that says what to do */
export async function runReport(parts: ReportActionParts, typed: readonly string[]): Promise<string> {
  const { words, options } = readWords(typed);
  const [name = "", ...rest] = words;
  if (rest.length > 0) throw new ReportActionError(REPORT_USAGE);
  if (name === "rebuild") return rebuild(parts);
  if (!isReportName(name)) throw new ReportActionError(`There is no report "${name}".\n\n${REPORT_USAGE}`);
  const read = await readOptions(parts, options);
  // Clicks and cashback as they are now, also where no worker runs.
  await sumOffers(parts.db, { now: parts.now() });
  const sources = { db: parts.db, telemetry: sourceOf(parts, options.get("source") ?? "sums") };
  const table = await readReport(name, sources, read);
  return options.has("csv") ? reportCsv(table) : printed(table);
}

async function rebuild({ db, now }: ReportActionParts): Promise<string> {
  const events = await rebuildSums(db);
  const days = await rebuildOfferSums(db, { now: now() });
  await rebuildMoneySums(db);
  return `Summed ${events} events anew, clicks and cashback of ${days} days, and the ledger.\n`;
}

const valued = ["brand", "from", "to", "max", "min-clicks", "source"];

function readWords(typed: readonly string[]): { words: string[]; options: Map<string, string> } {
  const words: string[] = [];
  const options = new Map<string, string>();
  for (let at = 0; at < typed.length; at++) {
    const word = typed[at] ?? "";
    if (!word.startsWith("--")) words.push(word);
    else if (word === "--csv") options.set("csv", "yes");
    else {
      const value = typed[++at];
      if (!valued.includes(word.slice(2)) || value === undefined) throw new ReportActionError(REPORT_USAGE);
      options.set(word.slice(2), value);
    }
  }
  return { words, options };
}

async function readOptions(
  { db, now }: ReportActionParts,
  options: ReadonlyMap<string, string>,
): Promise<ReportOptions> {
  const to = dayOption(options, "to") ?? londonDayOf(now());
  const from = dayOption(options, "from") ?? addDays(to, -27);
  if (from > to) throw new ReportActionError(`--from ${from} is after --to ${to}.`);
  return {
    range: { brandId: await brandOption(db, options.get("brand")), from, to },
    max: numberOption(options, "max", 50),
    minClicks: numberOption(options, "min-clicks", 1),
  };
}

function dayOption(options: ReadonlyMap<string, string>, name: string): string | undefined {
  const text = options.get(name);
  if (text !== undefined && !isDay(text))
    throw new ReportActionError(`--${name} ${text} is not a day. Give one such as 2026-11-01.`);
  return text;
}

function numberOption(options: ReadonlyMap<string, string>, name: string, otherwise: number): number {
  const text = options.get(name) ?? String(otherwise);
  if (!/^\d{1,5}$/.test(text)) throw new ReportActionError(`--${name} ${text} is not a whole number up to 99999.`);
  return Number(text);
}

async function brandOption(db: Db, slug: string | undefined): Promise<string | null> {
  if (slug === undefined || slug === "all") return null;
  const id = await findReportBrand(db, { slug });
  if (id === null) throw new ReportActionError(`There is no brand ${slug}. "${commandLine("brands list")}" shows all.`);
  return id;
}

function sourceOf({ db, clickhouse }: ReportActionParts, source: string): TelemetryReader {
  if (source === "sums") return sumsReader(db);
  if (source === "rows") return rowsReader(db);
  if (source !== "clickhouse") throw new ReportActionError(`--source ${source} is not one of sums, rows, clickhouse.`);
  if (!clickhouse)
    throw new ReportActionError("CLICKHOUSE_URL is not set: there is no copy in ClickHouse to read from.");
  return clickhouse;
}

/** Columns under each other for a terminal, numbers to the right. */
function printed({ columns, rows }: ReportTable): string {
  const lined = rows.map((row) => columns.map(({ kind }, at) => onOneLine(plainCell(row[at] ?? null, kind))));
  const texts = [columns.map(labelWithUnit), ...lined];
  const widths = columns.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  const isNumber = columns.map(({ kind }) => kind === "count" || kind === "money" || kind === "percent");
  const lines = texts.map((row) =>
    row
      .map((text, column) => (isNumber[column] ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n${rows.length === 0 ? "Nothing in this range.\n" : ""}`;
}

/** What visitors typed must not move the cursor of a terminal. */
function onOneLine(cell: string | number | null): string {
  return cell === null ? "-" : String(cell).replaceAll(/\p{Cc}/gu, " ");
}
