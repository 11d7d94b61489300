import { sql } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";

/** A report of the bank's as operators list it. */
export interface ListedReport {
  publicId: string;
  fileName: string;
  readAt: Date;
  readBy: string;
  appliedAt: Date | null;
  appliedBy: string | null;
  state: ReportState;
  lines: number;
}

/**
 * `waiting`: to apply. `look`: it would end no payment now, but has another amount than we paid, or a code that we don't know, of a payment that is
 * under way or paid (C6). `nothing`: neither, so it waits for nobody.
 */
export type ReportState = "waiting" | "look" | "nothing" | "applied" | "discarded";

/** Returns the state of `report`, a row of payout_reports, at a moment. */
export const reportState = (now: Date) =>
  sql<ReportState>`report_state(report.failures, report.applied_at, report.discarded_at, ${now}::timestamptz)`;

/** Returns how reports are listed, with the index payout_reports_read. `now`: whether applying one would end a payment depends on it. */
export function reportList({ state }: { state?: string }, { now }: { now: Date }): ListQuery<"read"> {
  return {
    from: sql`payout_reports report`,
    select: sql`report.public_id as "publicId", report.file_name as "fileName", report.read_at as "readAt",
      report.read_by as "readBy", report.applied_at as "appliedAt", report.applied_by as "appliedBy",
      ${reportState(now)} as state, jsonb_array_length(report.failures) as lines`,
    where: state ? [sql`${reportState(now)} = ${state}`] : [],
    sorts: { read: { by: sql`report.read_at`, type: "timestamptz" } },
    id: { by: sql`report.id`, type: "uuid" },
  };
}
