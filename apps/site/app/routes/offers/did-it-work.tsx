import type { VoteOutcome } from "@farthing/core/votes/rules.ts";
import { type MouseEvent, useState } from "react";

const thanks: Record<VoteOutcome, string> = {
  worked: "Thanks. You said today that it worked.",
  failed: "Thanks. You said today that it did not work. We look into codes that fail.",
};

/**
 * Two buttons for members who were shown the code (O4): one tap, which can be undone on the same day. Without script it
 * is a form.
 */
export function DidItWork({ ownPath, today }: { ownPath: string; today: VoteOutcome | null }) {
  const [said, setSaid] = useState(today);

  async function vote(event: MouseEvent<HTMLButtonElement>) {
    const { form, value } = event.currentTarget;
    event.preventDefault();
    const before = said;
    setSaid(value as VoteOutcome);
    const answer = await fetch(ownPath, {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams({ vote: value }),
      redirect: "manual",
    }).catch(() => null);
    if (answer?.status === 204) return;
    setSaid(before);
    if (answer) sendPlainly(form, value);
  }

  return (
    <form method="post" action={ownPath} className="did-it-work" id="did-it-work">
      <fieldset>
        <legend>Did the code work?</legend>
        {(["worked", "failed"] as const).map((outcome) => (
          <button
            key={outcome}
            type="submit"
            name="vote"
            value={outcome}
            className="button is-quiet"
            aria-pressed={said === outcome}
            onClick={(event) => void vote(event)}
          >
            {outcome === "worked" ? "It worked" : "It did not work"}
          </button>
        ))}
      </fieldset>
      <p role="status">{said && thanks[said]}</p>
    </form>
  );
}

/** Submits the form itself where the request was refused. It leads to the login, or to the page as it is now. */
function sendPlainly(form: HTMLFormElement | null, value: string): void {
  if (!form) return;
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = "vote";
  field.value = value;
  form.append(field);
  form.submit();
}
