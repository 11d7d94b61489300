import { useEffect, useState } from "react";
import { keepHalfFilled, readHalfFilled } from "./half-filled.ts";

type Control = HTMLInputElement | HTMLSelectElement;

const keptTypes = new Set(["text", "email", "tel", "search", "select-one"]);

/**
 * Keeps what is typed into a form in this tab, and fills it in when the page is shown again: after a reload, a dropped tab or a log-in. Never
 * passwords, consents or files. What the person has changed before the script loaded stays.
 */
export function useHalfFilled(formId: string, name: string): void {
  // A select may get its choices from another one: those that lack the choice are filled in after the next render.
  const [round, setRound] = useState(1);
  useEffect(() => {
    const kept = readHalfFilled(name);
    let isIncomplete = false;
    for (const control of controlsOf(formId)) {
      const text = kept[control.name];
      if (text === undefined || text === control.value || isChanged(control)) continue;
      if (hasChoice(control, text)) fillIn(control, text);
      else isIncomplete = true;
    }
    if (isIncomplete && round === 1) setRound(2);
  }, [formId, name, round]);

  useEffect(() => {
    const form = document.getElementById(formId);
    const keep = () =>
      keepHalfFilled(name, Object.fromEntries(controlsOf(formId).map((control) => [control.name, control.value])));
    form?.addEventListener("input", keep);
    form?.addEventListener("change", keep);
    return () => {
      form?.removeEventListener("input", keep);
      form?.removeEventListener("change", keep);
    };
  }, [formId, name]);
}

function controlsOf(formId: string): Control[] {
  const form = document.getElementById(formId);
  if (!(form instanceof HTMLFormElement)) return [];
  return [...form.elements].filter(
    (control): control is Control =>
      (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) &&
      control.name !== "" &&
      keptTypes.has(control.type),
  );
}

function isChanged(control: Control): boolean {
  if (control instanceof HTMLInputElement) return control.value !== control.defaultValue;
  return control.value !== "" && control.selectedOptions[0]?.defaultSelected !== true;
}

function hasChoice(control: Control, text: string): boolean {
  return control instanceof HTMLInputElement || [...control.options].some(({ value }) => value === text);
}

/** Tells the page's own script of the value, as if it were typed. */
function fillIn(control: Control, text: string): void {
  control.value = text;
  control.dispatchEvent(new Event(control instanceof HTMLInputElement ? "input" : "change", { bubbles: true }));
}
