import { actionInWords } from "@farthing/core/audit/actions.ts";
import type { AuditEntry } from "@farthing/core/audit/queries.server.ts";
import { Changes } from "../routes/audit/changes.tsx";
import { Confirm } from "./confirm.tsx";
import { Notice } from "./facts.tsx";
import { Moment } from "./moment.tsx";
import { PageHead, type Crumb } from "./page-head.tsx";
import type { Faults } from "./read-form.ts";

/** What the post of an undo is answered with (undo.server.ts). */
export interface UndoAnswer {
  /** The entry that is asked about. */
  ask: number | null;
  faults?: Faults;
  says?: string;
}

/** The history of one record, with a way back from each change. */
export function UndoHistory({
  title,
  crumbs,
  path,
  entries,
  mayChange,
  isUndone,
  posted,
}: {
  title: string;
  crumbs: readonly Crumb[];
  path: string;
  /** `about`: the part of the record that an entry is about, where it is not about the whole. */
  entries: readonly (AuditEntry & { canBeUndone: boolean; about?: string | null })[];
  mayChange: boolean;
  isUndone: boolean;
  posted: UndoAnswer | undefined;
}) {
  const asked = entries.find(({ seq }) => seq === posted?.ask);
  return (
    <>
      <PageHead
        title={`History of ${title}`}
        crumbs={crumbs}
        intro="What operators have changed. What imports write is not here."
      />
      {isUndone && !posted && (
        <Notice tone="good">
          The values before that change are back. This is a change of its own, and can be undone too.
        </Notice>
      )}
      {posted?.says && <Notice tone="bad">{posted.says}</Notice>}
      {asked && (
        <Confirm
          title="Undo this change?"
          what={
            <>
              <p>These values are written back. What was changed in these fields since then is overwritten:</p>
              <Changes before={asked.after} after={asked.before} />
            </>
          }
          button="Undo the change"
          keep={[["undo", String(asked.seq)]]}
          back={path}
          faults={posted?.faults}
        />
      )}
      <ol className="timeline">
        {entries.map((entry) => (
          <li key={entry.seq}>
            <p>
              <Moment at={entry.at} /> <strong>{actionInWords(entry.action)}</strong>
              {entry.about && <> ({entry.about})</>} by {entry.actor}
              {entry.why && <>: {entry.why}</>}
            </p>
            <Changes before={entry.before} after={entry.after} />
            {mayChange && entry.canBeUndone && (
              <form method="post" action={path}>
                <button className="button is-quiet" name="undo" value={entry.seq}>
                  Undo … <span className="away">entry {entry.seq}</span>
                </button>
              </form>
            )}
          </li>
        ))}
      </ol>
      {entries.length === 0 && <p className="empty">Nobody has changed this in the admin.</p>}
    </>
  );
}
