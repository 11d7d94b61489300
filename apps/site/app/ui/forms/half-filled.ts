type Control = HTMLInputElement | HTMLSelectElement;

const keptTypes = new Set(["text", "email", "tel", "search", "select-one"]);

/**
 * Keeps what is typed into a form in this tab, and fills it in when the page is shown again: after a reload, a dropped tab or a log-in. Never
 * passwords, consents or files. What the person has changed already stays. `sessionStorage` ends with the tab, and a log-out empties it; without
 * storage nothing is kept, and the form works as before.
 */
export function keepHalfFilled(form: HTMLFormElement, name: string): void {
  const kept = read(name);
  fillIn(form, kept);
  // A select may get its choices from another one, once the page's own script has heard of that.
  setTimeout(() => fillIn(form, kept), 0);
  const keep = () => write(name, Object.fromEntries(controlsOf(form).map((control) => [control.name, control.value])));
  form.addEventListener("input", keep);
  form.addEventListener("change", keep);
  // On a slow line people type before this script has loaded.
  if (controlsOf(form).some(isChanged)) keep();
}

/** Called once the form has arrived. */
export function forgetHalfFilled(name: string): void {
  try {
    sessionStorage.removeItem(keyOf(name));
  } catch {
    // Storage is blocked, so nothing is kept.
  }
}

function read(name: string): Record<string, string> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter(([, text]) => typeof text === "string"));
  } catch {
    return {};
  }
}

function write(name: string, values: Record<string, string>): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify(values));
  } catch {
    // Storage is blocked or full.
  }
}

const keyOf = (name: string) => `half-filled ${name}`;

function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(
    (control): control is Control =>
      (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) &&
      control.name !== "" &&
      keptTypes.has(control.type),
  );
}

function fillIn(form: HTMLFormElement, kept: Record<string, string>): void {
  for (const control of controlsOf(form)) {
    const text = kept[control.name];
    if (text === undefined || text === control.value || isChanged(control) || !hasChoice(control, text)) continue;
    control.value = text;
    // Tells the page's own script, as if it were typed.
    control.dispatchEvent(new Event(control instanceof HTMLInputElement ? "input" : "change", { bubbles: true }));
  }
}

function isChanged(control: Control): boolean {
  if (control instanceof HTMLInputElement) return control.value !== control.defaultValue;
  return control.value !== "" && control.selectedOptions[0]?.defaultSelected !== true;
}

function hasChoice(control: Control, text: string): boolean {
  return control instanceof HTMLInputElement || [...control.options].some(({ value }) => value === text);
}
