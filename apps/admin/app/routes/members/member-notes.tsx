import { LongField } from "../../kit/fields.tsx";
import { Moment } from "../../kit/moment.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";

interface NotesProps {
  notes: readonly { id: string; by: string; text: string; at: Date }[];
  mayWrite: boolean;
  path: string;
  typed: Typed | undefined;
  faults: Faults | undefined;
}

/** What operators have written about a member, and a field for more. */
export function MemberNotes({ notes, mayWrite, path, typed, faults }: NotesProps) {
  return (
    <section className="panel" aria-labelledby="notes">
      <h2 id="notes">Notes</h2>
      {notes.length === 0 && <p className="soft">No notes yet.</p>}
      <ul className="notes">
        {notes.map(({ id, by, text, at }) => (
          <li key={id}>
            <p>{text}</p>
            <p className="soft">
              {by}, <Moment at={at} />
            </p>
          </li>
        ))}
      </ul>
      {mayWrite && (
        <form method="post" action={path}>
          <LongField
            name="note"
            label="New note"
            help="For other operators. The member gets it in a copy of their data, and it ends with the account."
            max={2000}
            {...{ typed, faults }}
          />
          <button className="button">Keep the note</button>
        </form>
      )}
    </section>
  );
}
