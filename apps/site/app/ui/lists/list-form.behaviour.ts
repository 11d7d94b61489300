import { createSpinner } from "@farthing/ui/loading/create-spinner.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";
import { listPath } from "./list-path.ts";

/** The dropdowns of a listing go to the address of the choice (D5). Its button is for pages without script. */
export const listForms: Behaviour = {
  selector: "form.list-form",
  start(element) {
    const form = element as HTMLFormElement;
    form.addEventListener("change", () => go(form));
    window.addEventListener("pageshow", ({ persisted }) => {
      if (persisted || wasVisitedBefore()) undo(form);
    });
    // The person may have chosen before the script was there.
    if (wasVisitedBefore()) undo(form);
    else if (isChanged(form)) go(form);
  },
};

/** On Back and Reload, browsers restore the choice that led away, above the list of the choice before it. */
function undo(form: HTMLFormElement): void {
  form.reset();
  delete form.dataset["busy"];
  form.querySelector(".spinner")?.remove();
}

function wasVisitedBefore(): boolean {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return navigation?.type !== "navigate";
}

function isChanged(form: HTMLFormElement): boolean {
  return [...form.querySelectorAll("select")].some(({ options, value }) => {
    const shownFirst = [...options].find(({ defaultSelected }) => defaultSelected) ?? options[0];
    return value !== shownFirst?.value;
  });
}

function go(form: HTMLFormElement): void {
  const choices = [...new FormData(form)].map(([name, value]) => [name, typeof value === "string" ? value : null]);
  if (form.dataset["busy"] === undefined) form.append(createSpinner("Loading"));
  form.dataset["busy"] = "";
  window.location.assign(listPath(form.getAttribute("action") ?? "", Object.fromEntries(choices)));
}
