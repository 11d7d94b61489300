import { hash } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { DeclineReason } from "../networks/decline-reason.ts";
import { markConfirmed } from "../networks/events.server.ts";
import type { HeldReason } from "../networks/held-reasons.ts";
import type { NetworkStatus, ReportedTransaction } from "../networks/network-transaction.ts";
import { isRefusal } from "../networks/refused-row.ts";
import { recordReport, type RecordedRow } from "./record-report.server.ts";
import type { CashbackChangeKind } from "./rules.ts";

/** A transaction of a report's file, and what the file does to it. */
export interface FileRow {
  networkTransactionId: string;
  orderReference: string | null;
  purchasedAt: Date;
  status: NetworkStatus;
  currency: string;
  saleMinor: number;
  /** `refused`: it can't be stored as it is. `failed`: for a reason that may pass. The others as in RecordedTransaction. */
  outcome: "new" | "changed" | "unchanged" | "stale" | "waiting" | "refused" | "failed";
  heldBecause: HeldReason | null;
  /** What happens to the member's cashback, in order. */
  changes: CashbackChangeKind[];
}

/** Returns what a report's file would do, row by row (C2). It changes nothing. */
export async function previewReportFile(
  db: Db,
  { networkId, rows, now }: { networkId: string; rows: readonly ReportedTransaction[]; now: Date },
): Promise<FileRow[]> {
  return recordFile(db, { networkId, rows, now, dryRun: true });
}

export interface ImportedReportFile {
  fileName: string;
  read: number;
  created: number;
  changed: number;
  /** Rows that could not be stored. The same file can be given again. */
  failed: number;
  /** Rows that could not be read, which are not among `read`. */
  unreadable: number;
}

/** Returns what the log calls a file of a network: the hash of both. */
export function reportFileHash(network: string, text: string): string {
  return hash("sha256", `${network}\n${text}`, "hex");
}

/**
 * Stores a network's report that an operator gave as a file, as if the network's API had answered it (C2): the same rules, the same entries, in any order
 * with the API's answers, and once. A row that can't be stored holds up no other. A process that dies on the way leaves the rows before: give the file again.
 */
export async function importReportFile(
  db: Db,
  file: {
    networkId: string;
    contentHash: string;
    fileName: string;
    downloadedAt: Date;
    rows: readonly ReportedTransaction[];
    unreadable: number;
    by: string;
    now: Date;
  },
): Promise<ImportedReportFile> {
  const { networkId, now } = file;
  const recorded = await recordFile(db, file);
  const isStored = ({ outcome }: FileRow) => outcome !== "refused" && outcome !== "failed";
  const known = [...new Set(recorded.filter(isStored).map(({ networkTransactionId }) => networkTransactionId))];
  for (let from = 0; from < known.length; from += 1_000)
    await markConfirmed(db, { networkId, networkTransactionIds: known.slice(from, from + 1_000), now });
  const count = (...outcomes: FileRow["outcome"][]) =>
    recorded.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const result = {
    fileName: file.fileName,
    read: recorded.length,
    created: count("new"),
    changed: count("changed"),
    failed: count("refused", "failed"),
    unreadable: file.unreadable,
  };
  await db
    .insertInto("network_report_files")
    .values({
      ...{ id: newId(), content_hash: file.contentHash, network_id: networkId, file_name: file.fileName },
      ...{ downloaded_at: file.downloadedAt, imported_at: now, imported_by: file.by },
      ...{ rows_read: result.read, rows_new: result.created, rows_changed: result.changed },
      ...{ rows_failed: result.failed, rows_unreadable: result.unreadable },
    })
    // Given again, as after a failure: what it has changed in all. The audit log has each time.
    .onConflict((conflict) =>
      conflict.column("content_hash").doUpdateSet(({ ref }) => ({
        rows_new: sql`${ref("network_report_files.rows_new")} + ${ref("excluded.rows_new")}`,
        rows_changed: sql`${ref("network_report_files.rows_changed")} + ${ref("excluded.rows_changed")}`,
        rows_failed: ref("excluded.rows_failed"),
      })),
    )
    .execute();
  return result;
}

async function recordFile(
  db: Db,
  report: { networkId: string; rows: readonly ReportedTransaction[]; now: Date; dryRun?: boolean },
): Promise<FileRow[]> {
  const rows = await withKnownReasons(db, report);
  const recorded = new Map<ReportedTransaction, RecordedRow>();
  for await (const one of recordReport(db, { ...report, rows })) recorded.set(one.row, one.recorded);
  return rows.map((row) => {
    const done = recorded.get(row)!;
    const { networkTransactionId, orderReference, purchasedAt, status, currency, saleMinor } = row;
    const what =
      done.outcome === "failed"
        ? { outcome: isRefusal(done.error) ? ("refused" as const) : done.outcome, heldBecause: null, changes: [] }
        : done;
    return { networkTransactionId, orderReference, purchasedAt, status, currency, saleMinor, ...what };
  });
}

/** Keeps why a sale was declined where a file does not have it: Impact says it elsewhere than in its report. */
async function withKnownReasons(
  db: Db,
  { networkId, rows }: { networkId: string; rows: readonly ReportedTransaction[] },
): Promise<ReportedTransaction[]> {
  const isWithout = (row: ReportedTransaction) => row.status === "declined" && row.reason === "not_given";
  const ids = rows.filter(isWithout).map(({ networkTransactionId }) => networkTransactionId);
  const { rows: known } = await sql<{ id: string; reason: DeclineReason; validatedAt: Date | null }>`
    select network_transaction_id as id, reason_code as reason, validated_at as "validatedAt" from network_transactions
    where network_id = ${networkId} and network_transaction_id = any(${ids}::text[]) and status = 'declined' and reason_code is not null`.execute(
    db,
  );
  const byId = new Map(known.map(({ id, ...said }) => [id, said]));
  return rows.map((row) => ({ ...row, ...(isWithout(row) ? byId.get(row.networkTransactionId) : undefined) }));
}

export interface ListedReportFile extends ImportedReportFile {
  contentHash: string;
  network: string;
  importedAt: Date;
  importedBy: string;
}

/** Returns the files that were imported last, the latest first. */
export async function findReportFiles(db: Db, { max = 20 } = {}): Promise<ListedReportFile[]> {
  return db
    .selectFrom("network_report_files as file")
    .innerJoin("networks as network", "network.id", "file.network_id")
    .select([
      "network.name as network",
      "file.file_name as fileName",
      "file.rows_read as read",
      "file.rows_new as created",
      "file.rows_changed as changed",
      "file.rows_failed as failed",
      "file.rows_unreadable as unreadable",
      "file.content_hash as contentHash",
      "file.imported_at as importedAt",
      "file.imported_by as importedBy",
    ])
    .orderBy("file.imported_at", "desc")
    .orderBy("file.id", "desc")
    .limit(max)
    .execute();
}
