import { fieldError } from "@farthing/core/forms/rules.ts";
import type { FormError } from "./form-error.ts";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Returns the control that an event came from, or null where it is none that can be invalid. */
export function controlAt(target: unknown): Control | null {
  const isControl =
    target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
  return isControl && target.willValidate ? target : null;
}

/** Returns the control's current error message, or null where it is valid. */
export function errorOf(control: Control): string | null {
  const { valid, valueMissing, patternMismatch } = control.validity;
  const hint = patternMismatch ? control.title : "";
  return fieldError({ isValid: valid, isValueMissing: valueMissing, browserMessage: control.validationMessage, hint });
}

/** Returns the form's errors in the order of its fields, one for each name: a group of radio buttons counts once. */
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

/** Opens the `<details>` around a field, so that the field can be seen and focused. */
export function uncover(field: Element | null): void {
  const folded = field?.closest("details");
  if (folded) folded.open = true;
}
