import type { Behaviour } from "../../behaviours/behaviour.ts";

const OFFLINE = "You are offline, so nothing was sent. Nothing is lost: try again once you are connected.";

/**
 * Keeps the page and what was typed where a form can't be sent: the browser would replace both by a page of its own. Forms that post, and those with a
 * loading button, such as "Reveal code"; not those that only search.
 */
export const offlineForms: Behaviour = {
  start(root) {
    root.addEventListener("submit", (event) => {
      const form = event.target;
      if (navigator.onLine || event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
      if (form.method !== "post" && !form.querySelector("[data-loading-button]")) return;
      event.preventDefault();
      noteOf(form).textContent = OFFLINE;
    });
    window.addEventListener("online", () => {
      for (const note of root.querySelectorAll("[data-offline-note]")) note.textContent = "";
    });
  },
};

function noteOf(form: HTMLFormElement): HTMLElement {
  const known = form.querySelector<HTMLElement>("[data-offline-note]");
  if (known) return known;
  const note = document.createElement("p");
  note.className = "busy-note field-error";
  note.role = "alert";
  note.dataset["offlineNote"] = "";
  form.append(note);
  return note;
}
