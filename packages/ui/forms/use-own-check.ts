import { type RefObject, useEffect } from "react";

type Control = HTMLInputElement | HTMLSelectElement;

/**
 * Adds a rule to a control's own validation: `check` returns a message, or "". It runs at every change in the form,
 * because a rule may compare two fields.
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

/** Returns the value of another field of the same form, or "" where there is none. */
export function valueBeside(control: Control, name: string): string {
  const other = control.form?.elements.namedItem(name);
  return other instanceof HTMLInputElement || other instanceof HTMLSelectElement ? other.value : "";
}
