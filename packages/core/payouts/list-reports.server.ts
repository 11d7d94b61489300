import { sql, type RawBuilder } from "kysely";
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
export const reportState = (now: Date) => {
  const at = sql`${now}::timestamptz`;
  return sql<ReportState>`case when report.applied_at is not null then 'applied' when report.discarded_at is not null then 'discarded'
    when report_ends_payments(report.failures, ${at}) then 'waiting'
    when report_needs_look(report.failures, ${at}) then 'look' else 'nothing' end`;
};

/** Returns how reports are listed, with the index payout_reports_read. `now`: whether applying one would end a payment depends on it. */
export function reportList({ state }: { state?: string }, { now }: { now: Date }): ListQuery<"read"> {
  const ends = sql`report_ends_payments(report.failures, ${now}::timestamptz)`;
  const needsLook = sql`report_needs_look(report.failures, ${now}::timestamptz)`;
  const isOpen = sql`report.applied_at is null and report.discarded_at is null`;
  const states: Record<string, RawBuilder<unknown>> = {
    waiting: sql`${isOpen} and ${ends}`,
    look: sql`${isOpen} and not ${ends} and ${needsLook}`,
    nothing: sql`${isOpen} and not ${ends} and not ${needsLook}`,
    applied: sql`report.applied_at is not null`,
    discarded: sql`report.discarded_at is not null`,
  };
  const chosen = state === undefined ? undefined : states[state];
  return {
    from: sql`payout_reports report`,
    select: sql`report.public_id as "publicId", report.file_name as "fileName", report.read_at as "readAt",
      report.read_by as "readBy", report.applied_at as "appliedAt", report.applied_by as "appliedBy",
      ${reportState(now)} as state, jsonb_array_length(report.failures) as lines`,
    where: chosen ? [chosen] : [],
    sorts: { read: { by: sql`report.read_at`, type: "timestamptz" } },
    id: { by: sql`report.id`, type: "uuid" },
  };
}
