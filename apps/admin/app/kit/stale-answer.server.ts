import type { Action } from "@farthing/core/audit/actions.ts";
import { findLastChange, type SubjectRef } from "@farthing/core/audit/queries.server.ts";
import type { AdminServices } from "../../server/admin-handler.ts";
import type { Typed } from "./read-form.ts";
import type { StaleAnswer } from "./stale-save.tsx";

/**
 * Returns what StaleSave says of a form whose record somebody else has saved meanwhile. `stored` holds the record's fields as the form would show them
 * now, `labels` their names on the form, and `choices` what the form calls the values of a field.
 */
export async function staleAnswer<Version extends number | string>(
  db: AdminServices["db"],
  {
    subject,
    actions,
    stored,
    version,
    typed,
    labels,
    choices = {},
  }: {
    subject: SubjectRef;
    /** What changes the fields of the form, where other things are done to the record too. */
    actions?: readonly Action[];
    stored: Typed;
    version: Version;
    typed: Typed;
    labels: Readonly<Record<string, string>>;
    choices?: Readonly<Record<string, readonly { value: string; label: string }[]>>;
  },
): Promise<StaleAnswer<Version>> {
  const last = await findLastChange(db, { ...subject, actions });
  const called = (name: string, value: string) =>
    choices[name]?.find((choice) => choice.value === value)?.label ?? value;
  const fields = Object.entries(stored).map(([name, theirs]) => ({
    ...{ name, label: labels[name] ?? name, theirs: called(name, theirs) },
    yours: called(name, (typed[name] ?? "").replaceAll("\r\n", "\n")),
  }));
  return { by: last?.actor ?? null, at: last?.at ?? null, version, fields };
}
