import type { Behaviour } from "../../behaviours/behaviour.ts";
import { forgetHalfFilled, keepHalfFilled } from "./half-filled.ts";

/** Keeps what is typed into the form whose id is in `data-form`, under the name in `data-half-filled`. */
export const halfFilledForms: Behaviour = {
  selector: "[data-half-filled]",
  start({ dataset: { halfFilled = "", form: id = "" } }) {
    const form = document.getElementById(id);
    if (form instanceof HTMLFormElement) keepHalfFilled(form, halfFilled);
  },
};

/** A page that follows a form names it: it has arrived, so what was typed is no longer kept in the tab. */
export const arrivedForms: Behaviour = {
  selector: "[data-form-arrived]",
  start({ dataset }) {
    for (const name of (dataset["formArrived"] ?? "").split(" ")) forgetHalfFilled(name);
  },
};
