import { pence } from "../money/money.ts";
import type { ReportedTransaction, SettlementCalendar, TransactionPart } from "./network-transaction.ts";

/** What is stored of a row, without what the network sent. */
export type TransactionRow = Omit<ReportedTransaction, "raw">;

/** The state of a sale as its rows and the calendar have it, and when the calendar next changes it; null: never. */
export interface SumOfRows {
  transaction: TransactionRow;
  nextChangeAt: Date | null;
}

/**
 * Returns the sale that rows sum to (C2); null without an original, whose corrections wait. The order of the rows does not matter. A sum of zero or
 * less is a declined sale, never a negative one: corrections larger than the original take back the original and no more.
 */
export function sumRows(rows: readonly TransactionRow[], now: Date): SumOfRows | null {
  const originals = rows.filter((row) => row.correction?.isOriginal !== false).sort(byRowId);
  const [first] = originals;
  if (first === undefined) return null;
  const corrections = rows.filter((row) => row.correction?.isOriginal === false && !isRefused(row)).sort(byDate);
  const standing = originals.filter((row) => !isRefused(row));
  const counted = [...standing, ...corrections];
  const isTakenBack =
    standing.length === 0 ||
    (corrections.length > 0 && (sum(counted, "commissionMinor") <= 0 || sum(counted, "saleMinor") < 0));
  const worth = isTakenBack ? originals : counted;
  const calendar = latestCalendar(counted);
  const status = isTakenBack
    ? standing.length === 0
      ? first.status
      : "declined"
    : calendar
      ? now >= calendar.approvedFrom
        ? "approved"
        : "pending"
      : counted.some((row) => row.status === "pending")
        ? "pending"
        : "approved";
  const isPaid =
    status === "approved" && (calendar ? now >= calendar.paidFrom : counted.every((row) => row.paidToPublisher));
  const reason = corrections.at(-1)?.reason ?? originals.find((row) => row.reason !== null)?.reason ?? null;
  const next = isTakenBack || !calendar ? [] : [calendar.approvedFrom, calendar.paidFrom].filter((date) => date > now);
  return {
    transaction: {
      ...first,
      clickReference: rows.find((row) => row.clickReference !== null)?.clickReference ?? null,
      status,
      saleMinor: sum(worth, "saleMinor"),
      commissionMinor: sum(worth, "commissionMinor"),
      parts: sumParts(worth),
      paidToPublisher: isPaid,
      paidAt: isPaid ? (calendar?.paidFrom ?? latestOf(counted.map((row) => row.paidAt))) : null,
      locksAt: calendar?.approvedFrom ?? latestOf(counted.map((row) => row.locksAt)),
      reason: isTakenBack ? (reason ?? "not_given") : corrections.length > 0 ? (reason ?? "amended") : reason,
      validatedAt: latestOf(rows.map((row) => row.validatedAt)),
      modifiedAt: latestOf(rows.map((row) => row.modifiedAt))!,
      observedAt: latestOf(rows.map((row) => row.observedAt))!,
      correction: null,
      calendar,
    },
    nextChangeAt: next[0] ?? null,
  };
}

function isRefused(row: TransactionRow): boolean {
  return row.status === "declined" || row.status === "deleted";
}

function byRowId(a: TransactionRow, b: TransactionRow): number {
  const [one, other] = [a.correction?.rowId ?? "", b.correction?.rowId ?? ""];
  return one < other ? -1 : one > other ? 1 : 0;
}

function byDate(a: TransactionRow, b: TransactionRow): number {
  return a.modifiedAt.getTime() - b.modifiedAt.getTime() || byRowId(a, b);
}

function sum(rows: readonly TransactionRow[], field: "saleMinor" | "commissionMinor"): number {
  return pence(rows.reduce((total, row) => total + row[field], 0));
}

/** Sums the parts of each commission group. None where a row has none: the whole is then not split. */
function sumParts(rows: readonly TransactionRow[]): TransactionPart[] {
  if (rows.some((row) => row.parts.length === 0)) return [];
  const groups = new Map<string, TransactionPart>();
  for (const part of rows.flatMap((row) => row.parts)) {
    const key = JSON.stringify([part.groupId, part.groupCode]);
    const known = groups.get(key);
    groups.set(key, {
      ...part,
      saleMinor: part.saleMinor + (known?.saleMinor ?? 0),
      commissionMinor: part.commissionMinor + (known?.commissionMinor ?? 0),
    });
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
}

function latestOf(dates: readonly (Date | null | undefined)[]): Date | null {
  return dates.reduce<Date | null>(
    (latest, date) => (date && (latest === null || date > latest) ? date : latest),
    null,
  );
}

/** A correction starts the calendar anew: the network settles the sum when its last row is due. */
function latestCalendar(rows: readonly TransactionRow[]): SettlementCalendar | null {
  return rows.reduce<SettlementCalendar | null>(
    (latest, { calendar }) =>
      calendar && (!latest || calendar.approvedFrom > latest.approvedFrom) ? calendar : latest,
    null,
  );
}
