import { type RefObject, useEffect } from "react";

type Control = HTMLInputElement | HTMLSelectElement;

/**
 * Gives a field a rule of ours beside the browser's own: `check` says what is wrong with it, or "". It runs whenever anything in the form
 * changes, because a rule may be about two fields.
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

/** What another field of the same form holds. */
export function valueBeside(control: Control, name: string): string {
  const other = control.form?.elements.namedItem(name);
  return other instanceof HTMLInputElement || other instanceof HTMLSelectElement ? other.value : "";
}
