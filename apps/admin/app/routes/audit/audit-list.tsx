import { actionInWords, actions } from "@farthing/core/audit/actions.ts";
import type { AuditEntry } from "@farthing/core/audit/queries.server.ts";
import { subjects } from "@farthing/core/audit/subjects.ts";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";
import { Changes } from "./changes.tsx";

const actionChoices = Object.entries(actions)
  .map(([value, label]) => ({ value, label }))
  .toSorted((one, other) => one.label.localeCompare(other.label));

/** The audit log as a list. */
export const auditListing: List<AuditEntry, "seq"> = {
  name: "audit",
  path: "/admin/audit",
  csvPath: "/admin/audit.csv",
  rows: "entries",
  sorts: ["seq"],
  defaultSort: "-seq",
  keyOf: ({ seq }) => String(seq),
  nameOf: ({ seq }) => `entry ${seq}`,
  filters: [
    { name: "actor", label: "Operator", kind: "text", placeholder: "Part of the address" },
    { name: "action", label: "Action", kind: "choice", choices: actionChoices },
    {
      name: "type",
      label: "Record",
      kind: "choice",
      choices: Object.entries(subjects).map(([value, { name }]) => ({ value, label: name })),
    },
    { name: "subject", label: "Its id", kind: "text" },
    { name: "from", label: "From", kind: "date" },
    { name: "to", label: "To", kind: "date" },
  ],
  columns: [
    { key: "seq", label: "No.", sort: "seq", isNumber: true, cell: ({ seq }) => seq, csv: ({ seq }) => seq },
    { key: "at", label: "When", cell: ({ at }) => <Moment at={at} />, csv: ({ at }) => at },
    { key: "actor", label: "Who", cell: ({ actor }) => actor, csv: ({ actor }) => actor },
    { key: "action", label: "What", cell: ({ action }) => actionInWords(action), csv: ({ action }) => action },
    {
      key: "subject",
      label: "Record",
      cell: ({ subjectType, subjectId }) => (
        <a href={`/admin/audit/${subjectType}/${encodeURIComponent(subjectId)}`}>
          {subjectName(subjectType)} <span className="id">{shortId(subjectId)}</span>
        </a>
      ),
      csv: ({ subjectType, subjectId }) => `${subjectType} ${subjectId}`,
    },
    { key: "why", label: "Why", cell: ({ why }) => why ?? "–", csv: ({ why }) => why },
    {
      key: "changes",
      label: "Before and after",
      cell: ({ before, after }) => <Changes before={before} after={after} />,
      csv: ({ before, after }) => JSON.stringify({ before, after }),
    },
  ],
};

export function subjectName(type: string): string {
  return Object.hasOwn(subjects, type) ? subjects[type as keyof typeof subjects].name : type;
}

/** Returns the end of a UUID or a hash, which nobody reads, and any other id whole: a brand's is its short name. */
export function shortId(id: string): string {
  return /^(?:[\da-f]{64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.test(id) ? id.slice(-8) : id;
}
