import { fieldError } from "@farthing/core/forms/rules.ts";
import type { FormError } from "./error-summary.tsx";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The field an event came from, if it is one that can be in error. */
export function controlAt(target: unknown): Control | null {
  const isControl =
    target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
  return isControl && target.willValidate ? target : null;
}

/** What is wrong with a field now, or null. */
export function errorOf(control: Control): string | null {
  const { valid, valueMissing } = control.validity;
  return fieldError({ isValid: valid, isValueMissing: valueMissing, browserMessage: control.validationMessage });
}

/** What is wrong with a form's fields, in their order, once for each name (a group of radio buttons is one). */
export function invalidControls(form: HTMLFormElement): FormError[] {
  const errors = new Map<string, FormError>();
  for (const element of form.elements) {
    const control = controlAt(element);
    if (!control || errors.has(control.name)) continue;
    const message = errorOf(control);
    if (message !== null) {
      const label = control.dataset["label"] ?? control.labels?.[0]?.textContent ?? control.name;
      errors.set(control.name, { name: control.name, id: control.id || control.name, label, message });
    }
  }
  return [...errors.values()];
}

/** Opens what a field is folded away in, so that it can be seen and focused. */
export function uncover(field: Element | null): void {
  const folded = field?.closest("details");
  if (folded) folded.open = true;
}
