import { useEffect, useRef } from "react";

/**
 * Sends the typed answers to the draft when the page is hidden, for example because of a call, another app or the end
 * of a break (M1).
 */
export function useKeptAnswers(formId: string, isSending: boolean): void {
  const isTouched = useRef(false);
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    const touch = () => {
      isTouched.current = true;
    };
    const keep = () => {
      if (document.visibilityState !== "hidden" || !isTouched.current || isSending) return;
      isTouched.current = false;
      const answers = new URLSearchParams();
      for (const [name, value] of new FormData(form)) if (typeof value === "string") answers.append(name, value);
      navigator.sendBeacon("/register/draft", answers);
    };
    // Somebody may type before the script has loaded.
    if ([...form.elements].some(isTyped)) touch();
    form.addEventListener("input", touch);
    document.addEventListener("visibilitychange", keep);
    return () => {
      form.removeEventListener("input", touch);
      document.removeEventListener("visibilitychange", keep);
    };
  }, [formId, isSending]);
}

function isTyped(control: Element): boolean {
  return control instanceof HTMLInputElement && control.type === "text" && control.value !== control.defaultValue;
}
