import type { Behaviour } from "../../behaviours/behaviour.ts";

export const STORAGE_KEY = "farthing.closed-banner";

/** Closes the announcement without loading the page again, and remembers its id (D6). */
export const alertBanner: Behaviour = {
  selector: ".alert-banner form",
  start: (form) => form.addEventListener("submit", close),
};

function close(event: SubmitEvent): void {
  const id = new FormData(event.currentTarget as HTMLFormElement).get("banner");
  try {
    localStorage.setItem(STORAGE_KEY, String(id));
  } catch {
    return; // storage may be closed in a private window: the form sets the cookie instead
  }
  event.preventDefault();
  document.documentElement.dataset["bannerClosed"] = "";
  document.getElementById("main")?.focus();
}
