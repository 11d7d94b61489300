import type { ProofKind } from "@farthing/core/verification-requests/verification-view.ts";
import { ProofDrawing } from "./proof-drawing.tsx";

/** The kinds of proof that this member can choose from, each with a drawing and what has to be readable on it. */
export function ProofChoices({ kinds }: { kinds: ProofKind[] }) {
  return (
    <fieldset className="proof-choices">
      <legend className="label">What are you sending?</legend>
      <ul role="list">
        {kinds.map(({ slug, name, help, shows, hides, drawing }, index) => (
          <li key={slug} className="proof-choice">
            <input
              type="radio"
              id={`proof-${slug}`}
              name="proof_kind"
              value={slug}
              defaultChecked={index === 0}
              aria-describedby={`proof-${slug}-help`}
            />
            <label htmlFor={`proof-${slug}`}>
              <ProofDrawing drawing={drawing} />
              <b>{name}</b>
            </label>
            <div id={`proof-${slug}-help`} className="proof-choice-help">
              <p>{help}</p>
              <p className="soft">It must show:</p>
              <ul className="soft">
                {shows.map((part) => (
                  <li key={part}>{part}</li>
                ))}
              </ul>
              {hides && <p className="soft">{hides}</p>}
            </div>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
