import { TextField } from "../../kit/fields.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";

/** What a member type is called, and how its people are known. */
export function TypeFields({ typed, faults }: { typed: Typed; faults: Faults | undefined }) {
  const shared = { typed, faults };
  return (
    <>
      <TextField name="name" label="Name" help="As the registration offers it." max={60} {...shared} />
      <label className="tick">
        <input type="checkbox" name="isOrganisation" value="on" defaultChecked={typed["isOrganisation"] === "on"} /> It
        is for organisations: they have no job
      </label>
      <TextField name="memberIdLabel" label="Label of the number that they are known by" max={60} {...shared} />
      <TextField name="memberIdHelp" label="Help for it" max={200} isRequired={false} {...shared} />
      <TextField name="position" label="Place" inputMode="numeric" max={4} {...shared} />
    </>
  );
}
