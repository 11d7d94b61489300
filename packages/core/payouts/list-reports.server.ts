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

/** `waiting`: to apply. `nothing`: it would end no payment now, so nobody has to apply it. */
export type ReportState = "waiting" | "nothing" | "applied" | "discarded";

/** Returns how reports are listed, with the index payout_reports_read. `now`: whether applying one would end a payment depends on it. */
export function reportList({ state }: { state?: string }, { now }: { now: Date }): ListQuery<"read"> {
  const ends = sql`report_ends_payments(report.failures, ${now}::timestamptz)`;
  const isOpen = sql`report.applied_at is null and report.discarded_at is null`;
  const states: Record<string, RawBuilder<unknown>> = {
    waiting: sql`${isOpen} and ${ends}`,
    nothing: sql`${isOpen} and not ${ends}`,
    applied: sql`report.applied_at is not null`,
    discarded: sql`report.discarded_at is not null`,
  };
  const chosen = state === undefined ? undefined : states[state];
  return {
    from: sql`payout_reports report`,
    select: sql`report.public_id as "publicId", report.file_name as "fileName", report.read_at as "readAt",
      report.read_by as "readBy", report.applied_at as "appliedAt", report.applied_by as "appliedBy",
      case when report.applied_at is not null then 'applied' when report.discarded_at is not null then 'discarded'
        when ${ends} then 'waiting' else 'nothing' end as state,
      jsonb_array_length(report.failures) as lines`,
    where: chosen ? [chosen] : [],
    sorts: { read: { by: sql`report.read_at`, type: "timestamptz" } },
    id: { by: sql`report.id`, type: "uuid" },
  };
}
