import type { ProofKind } from "@farthing/core/verification-requests/verification-view.ts";
import { RadioField } from "@farthing/ui/forms/radio-field.tsx";
import { ProofDrawing } from "./proof-drawing.tsx";

/** The kinds of proof that this member can choose from, each with a drawing and what has to be readable on it. */
export function ProofChoices({ kinds }: { kinds: ProofKind[] }) {
  return (
    <RadioField
      name="proof_kind"
      label="What are you sending?"
      labelClassName="label"
      className="proof-choices"
      choiceClassName="proof-choice"
      helpClassName="proof-choice-help"
      choices={kinds.map((kind) => ({
        value: kind.slug,
        label: (
          <>
            <ProofDrawing drawing={kind.drawing} />
            <b>{kind.name}</b>
          </>
        ),
        help: <ProofHelp kind={kind} />,
      }))}
    />
  );
}

function ProofHelp({ kind: { help, shows, hides } }: { kind: ProofKind }) {
  return (
    <>
      <p>{help}</p>
      <p className="soft">It must show:</p>
      <ul className="soft">
        {shows.map((part) => (
          <li key={part}>{part}</li>
        ))}
      </ul>
      {hides && <p className="soft">{hides}</p>}
    </>
  );
}
