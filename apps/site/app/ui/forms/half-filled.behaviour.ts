import type { Behaviour } from "../../behaviours/behaviour.ts";

/** A page that follows a form names it: it has arrived, so what was typed is no longer kept in the tab (half-filled.ts). */
export const halfFilledForms: Behaviour = {
  selector: "[data-form-arrived]",
  start({ dataset }) {
    for (const name of dataset["formArrived"]!.split(" ")) sessionStorage.removeItem(`half-filled ${name}`);
  },
};
