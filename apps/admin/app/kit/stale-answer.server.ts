import { findLastChange, type SubjectRef } from "@farthing/core/audit/queries.server.ts";
import type { AdminServices } from "../../server/admin-handler.ts";
import type { Typed } from "./read-form.ts";
import type { StaleAnswer } from "./stale-save.tsx";

/**
 * Returns what StaleSave says of a form whose record somebody else has saved meanwhile. `stored` holds the record's fields as the form would show them
 * now, and `labels` their names on the form.
 */
export async function staleAnswer(
  db: AdminServices["db"],
  {
    subject,
    stored,
    version,
    typed,
    labels,
  }: { subject: SubjectRef; stored: Typed; version: number; typed: Typed; labels: Readonly<Record<string, string>> },
): Promise<StaleAnswer> {
  const last = await findLastChange(db, subject);
  const fields = Object.entries(stored).map(([name, theirs]) => ({
    ...{ name, label: labels[name] ?? name, theirs },
    yours: (typed[name] ?? "").replaceAll("\r\n", "\n"),
  }));
  return { by: last?.actor ?? null, at: last?.at ?? null, version, fields };
}
