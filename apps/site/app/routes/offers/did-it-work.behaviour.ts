import type { VoteOutcome } from "@farthing/core/votes/rules.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";
import { postInTurn } from "../../behaviours/post-in-turn.ts";
import { voteThanks } from "./vote-thanks.ts";

const LOST = "That was not saved: we could not be reached. Check your connection and press again.";

/** Sends a vote without leaving the page (O4). It listens on the panel, in which each variant has a form of its own. */
export const didItWork: Behaviour = {
  selector: ".deal-panel",
  start(panel) {
    panel.addEventListener("submit", (event) => {
      const form = event.target as HTMLFormElement;
      if (!form.matches(".did-it-work") || !(event.submitter instanceof HTMLButtonElement)) return;
      event.preventDefault();
      void vote(form, event.submitter.value as VoteOutcome);
    });
  },
};

async function vote(form: HTMLFormElement, outcome: VoteOutcome): Promise<void> {
  const before = form.querySelector<HTMLButtonElement>("[aria-pressed=true]")?.value as VoteOutcome | undefined;
  show(form, outcome);
  const { action } = form;
  const posted = await postInTurn({
    key: action,
    value: outcome,
    before,
    address: action,
    fieldsOf: (sent) => ({ vote: sent }),
  });
  if (!posted || posted.outcome === "done") return;
  show(form, posted.saved);
  if (posted.outcome === "refused") sendPlainly(form, posted.sent);
  else say(form, LOST);
}

function show(form: HTMLFormElement, outcome: VoteOutcome | undefined): void {
  for (const button of form.querySelectorAll("button"))
    button.setAttribute("aria-pressed", String(button.value === outcome));
  say(form, outcome ? voteThanks[outcome] : "");
}

function say(form: HTMLFormElement, words: string): void {
  const status = form.querySelector("[role=status]");
  if (status) status.textContent = words;
}

/** Submits the form itself where the request was refused. It leads to the login, or to the page as it is now. */
function sendPlainly(form: HTMLFormElement, outcome: VoteOutcome): void {
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = "vote";
  field.value = outcome;
  form.append(field);
  form.submit();
}
