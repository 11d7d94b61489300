import type { Behaviour } from "../../behaviours/behaviour.ts";
import { forgetHalfFilled, keepHalfFilled } from "./half-filled.ts";

/** Keeps what is typed into the form whose id is in `data-form`, under the name in `data-half-filled`, and says so where it fills it in again. */
export const halfFilledForms: Behaviour = {
  selector: "[data-half-filled]",
  async start(element) {
    const { halfFilled: name = "", form: id = "" } = element.dataset;
    const form = document.getElementById(id);
    if (!(form instanceof HTMLFormElement) || !(await keepHalfFilled(form, name))) return;
    const notice = element.firstElementChild;
    if (notice instanceof HTMLElement) notice.hidden = false;
    element.querySelector("button")?.addEventListener("click", () => {
      forgetHalfFilled(name);
      // A form that is kept posts to its own page.
      location.replace(form.action);
    });
  },
};

/** A page that follows a form names it: it has arrived, so what was typed is no longer kept in the tab. */
export const arrivedForms: Behaviour = {
  selector: "[data-form-arrived]",
  start({ dataset }) {
    for (const name of (dataset["formArrived"] ?? "").split(" ")) forgetHalfFilled(name);
  },
};
