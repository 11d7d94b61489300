import { type RefObject, useEffect } from "react";

type Control = HTMLInputElement | HTMLSelectElement;

/**
 * Adds a custom rule to the browser's validation of a field: `check` returns an error message, or "". It runs whenever a field of the form changes,
 * because a rule can depend on two fields.
 */
export function useOwnCheck(control: RefObject<Control | null>, check: (control: Control) => string): void {
  useEffect(() => {
    const element = control.current;
    const form = element?.form;
    if (!element || !form) return;
    const run = () => element.setCustomValidity(check(element));
    run();
    form.addEventListener("input", run);
    form.addEventListener("change", run);
    return () => {
      form.removeEventListener("input", run);
      form.removeEventListener("change", run);
      element.setCustomValidity("");
    };
  });
}

/** Returns the value of another field of the same form. */
export function valueBeside(control: Control, name: string): string {
  const other = control.form?.elements.namedItem(name);
  return other instanceof HTMLInputElement || other instanceof HTMLSelectElement ? other.value : "";
}
