import { TextField } from "../../kit/fields.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";

export function SubjectFields({ typed, faults }: { typed: Typed; faults: Faults | undefined }) {
  const shared = { typed, faults };
  return (
    <>
      <TextField name="name" label="Name" help="As members read it on its tab." max={60} {...shared} />
      <TextField
        name="position"
        label="Place"
        help="Subjects come in the order of their places. The first one is /faq itself."
        inputMode="numeric"
        max={4}
        {...shared}
      />
      <label className="tick">
        <input type="checkbox" name="isHidden" value="yes" defaultChecked={typed["isHidden"] === "yes"} /> Hidden: the
        FAQ page, its search and the sitemap leave it out. Its address stays for links that lead to it.
      </label>
    </>
  );
}
