import { LongField, SelectField, TextField, TickField } from "../../kit/fields.tsx";
import type { Faults, Typed } from "../../kit/read-form.ts";
import { drawingChoices } from "./proof-kind-words.ts";

/** What members read of a proof kind, and where it comes in the list. */
export function ProofKindFields({ typed, faults }: { typed: Typed; faults: Faults | undefined }) {
  const shared = { typed, faults };
  return (
    <>
      <TextField name="name" label="Name" help="As members choose it." max={80} {...shared} />
      <LongField
        name="help"
        label="What it is"
        help="A sentence below the name: which one, and how old it may be."
        rows={2}
        max={300}
        isRequired={false}
        {...shared}
      />
      <LongField
        name="shows"
        label="What has to be readable"
        help="One a line, at most ten: Your name"
        rows={4}
        {...shared}
      />
      <LongField
        name="hides"
        label="What may be covered"
        help="A sentence: Pay and bank details may be covered."
        rows={2}
        max={300}
        isRequired={false}
        {...shared}
      />
      <SelectField name="drawing" label="Drawing" choices={drawingChoices} {...shared} />
      <TextField
        name="position"
        label="Place"
        help="Orders the general kinds as members see them, and the list of kinds here."
        inputMode="numeric"
        max={4}
        {...shared}
      />
      <TickField
        name="isGeneral"
        label="General: members whose type and status have no list are asked for it"
        {...shared}
      />
    </>
  );
}
