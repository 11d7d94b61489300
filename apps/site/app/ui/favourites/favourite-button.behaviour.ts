import type { Behaviour } from "../../behaviours/behaviour.ts";
import { postInTurn } from "../../behaviours/post-in-turn.ts";

const LOST = "That was not saved: we could not be reached. Check your connection and press the heart again.";
const WATCHED = "We write to you when it rises.";
const NOT_WATCHED = "We no longer watch it for you.";

/**
 * Hearts and bells of members (D10). The heart fills at once and a request is sent in the background; where that is
 * refused, the form is submitted and its page says why.
 */
export const favouriteButtons: Behaviour = {
  start(root) {
    root.addEventListener("click", (event) => {
      const button =
        event.target instanceof Element ? event.target.closest<HTMLButtonElement>("button.favourite-button") : null;
      const form = button?.form;
      // The form leads visitors to the login.
      if (!button || form?.dataset["signedIn"] === undefined) return;
      event.preventDefault();
      void change(button, form, button.ariaPressed !== "true");
    });
  },
};

async function change(button: HTMLButtonElement, form: HTMLFormElement, isWanted: boolean): Promise<void> {
  const key = button.value;
  show(key, isWanted);
  say(form, "");
  const posted = await postInTurn({
    key,
    value: isWanted,
    before: !isWanted,
    address: "/favourites",
    fieldsOf: (isAdded) => ({ [isAdded ? "add" : "remove"]: key }),
  });
  if (!posted) return;
  const { outcome, sent, saved } = posted;
  if (outcome === "done") {
    if (key.startsWith("alert/")) say(form, sent ? WATCHED : NOT_WATCHED);
    return;
  }
  show(key, saved);
  // The button shows what is saved, and asks for the other.
  if (outcome === "refused" && saved !== sent) form.requestSubmit(button);
  else say(form, LOST, true);
}

/** Shows on all buttons of an offer or retailer whether it is a favourite. */
function show(key: string, isFavourite: boolean): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button.favourite-button")) {
    if (button.value !== key) continue;
    button.ariaPressed = String(isFavourite);
    button.name = isFavourite ? "remove" : "add";
  }
}

/** Says it to screen readers, and shows it where the button does not. */
function say(form: HTMLFormElement, words: string, isShown = false): void {
  const status = form.nextElementSibling;
  if (!status) return;
  status.textContent = words;
  status.className = isShown ? "favourites-lost" : "visually-hidden";
}
