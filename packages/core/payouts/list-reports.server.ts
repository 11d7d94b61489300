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
  lines: number;
}

/** Returns how reports are listed, with the index payout_reports_read. */
export function reportList({ state }: { state?: string }): ListQuery<"read"> {
  return {
    from: sql`payout_reports report`,
    select: sql`report.public_id as "publicId", report.file_name as "fileName", report.read_at as "readAt",
      report.read_by as "readBy", report.applied_at as "appliedAt", report.applied_by as "appliedBy",
      jsonb_array_length(report.failures) as lines`,
    where:
      state === "waiting"
        ? [sql`report.applied_at is null`]
        : state === "applied"
          ? [sql`report.applied_at is not null`]
          : [],
    sorts: { read: { by: sql`report.read_at`, type: "timestamptz" } },
    id: { by: sql`report.id`, type: "uuid" },
  };
}
