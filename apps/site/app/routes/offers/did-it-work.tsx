import type { VoteOutcome } from "@farthing/core/votes/rules.ts";
import { voteThanks } from "./vote-thanks.ts";

/**
 * Two buttons for members who were shown the code (O4): one tap, which can be undone on the same day. Without script it
 * is a form. `path` is that of the page of the code's own variant.
 */
export function DidItWork({ path, today }: { path: string; today: VoteOutcome | null }) {
  return (
    <form method="post" action={path} className="did-it-work" id="did-it-work">
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
