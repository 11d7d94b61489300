import type { Typed } from "./read-form.ts";
import { Moment } from "./moment.tsx";

export interface StaleField {
  name: string;
  label: string;
  theirs: string;
  yours: string;
}

/** What an action answers where somebody else saved first, for StaleSave. */
export interface StaleAnswer<Version = number> {
  /** Who changed it last, from the audit log; null: unknown. */
  by: string | null;
  at: Date | null;
  version: Version;
  fields: StaleField[];
}

/**
 * Says that somebody else saved meanwhile: who, when, what differs; offers both. "Save mine" posts what was typed against the
 * version that is stored now.
 */
export function StaleSave({
  by,
  at,
  fields,
  typed,
  version,
  versionName = "version",
  back,
}: {
  /** Who changed it last, from the audit log; null: unknown. */
  by: string | null;
  at: Date | null;
  fields: readonly StaleField[];
  typed: Typed;
  /** A number, or what else tells one state of the record from another. */
  version: number | string;
  /** The name of the field that says what the form was opened with. */
  versionName?: string;
  back: string;
}) {
  return (
    <section className="confirm" role="alert" aria-labelledby="stale-title">
      <h2 id="stale-title">Somebody saved this while you were typing</h2>
      <p>
        {by ?? "Someone"} changed it
        {at && (
          <>
            {" "}
            on <Moment at={at} />
          </>
        )}
        . Nothing of yours is lost: choose which to keep.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Saved now</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, label, theirs, yours }) => (
            <tr key={name} data-differs={theirs === yours ? undefined : ""}>
              <th scope="row">{label}</th>
              <td>{readable(theirs)}</td>
              <td>{readable(yours)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <form method="post" action={back}>
        {Object.entries(typed)
          .filter(([name]) => name !== versionName)
          .map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
        <input type="hidden" name={versionName} value={version} />
        <p className="acts">
          <button className="button">Save mine</button> <a href={back}>Keep what is saved now</a>
        </p>
      </form>
    </section>
  );
}

/** The value of a field for a day and a time, as browsers send it: 2026-11-27T09:30. */
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

function readable(value: string) {
  if (value === "") return <span className="soft">empty</span>;
  return LOCAL_TIME.test(value) ? value.replace("T", " ") : value;
}
