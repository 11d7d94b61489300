import type { VoteOutcome } from "@farthing/core/votes/rules.ts";
import { voteThanks } from "./vote-thanks.ts";

/**
 * Two buttons for members who were shown the code (O4): one tap, which can be undone on the same day. Without script it
 * is a form.
 */
export function DidItWork({
  ownPath,
  today,
  isHidden,
}: {
  ownPath: string;
  today: VoteOutcome | null;
  /** Whether the code is another variant's than the chosen one's. */
  isHidden: boolean;
}) {
  return (
    <form method="post" action={ownPath} className="did-it-work" id="did-it-work" hidden={isHidden}>
      <fieldset>
        <legend>Did the code work?</legend>
        {(["worked", "failed"] as const).map((outcome) => (
          <button
            key={outcome}
            type="submit"
            name="vote"
            value={outcome}
            className="button is-quiet"
            aria-pressed={today === outcome}
          >
            {outcome === "worked" ? "It worked" : "It did not work"}
          </button>
        ))}
      </fieldset>
      <p role="status">{today && voteThanks[today]}</p>
    </form>
  );
}
