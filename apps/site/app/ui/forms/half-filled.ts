import { type FieldState, holdsKeptText, keptAfter, type KeptTexts, stillKept, textsToFillIn } from "./kept-texts.ts";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const keptTypes = new Set(["text", "email", "tel", "search", "date", "select-one", "textarea"]);

/**
 * Keeps what is typed into a form in this tab, and fills it in when the page is shown again: after a reload, a dropped tab or a log-in. Never
 * passwords, consents or files, and nothing that stands as it is saved. What the person has changed already stays, and what was typed over
 * something that has changed since is dropped. `sessionStorage` ends with the tab, and a log-out empties it; without storage nothing is kept,
 * and the form works as before. Returns once the form is filled in: whether it holds something that was typed earlier.
 */
export async function keepHalfFilled(form: HTMLFormElement, name: string): Promise<boolean> {
  const saved = new Map(controlsOf(form).map((control) => [control.name, savedIn(control)]));
  const fields = () => controlsOf(form).map((control) => stateOf(control, saved));
  let kept = stillKept(read(name), fields());
  const before = kept;
  const keep = () => {
    kept = keptAfter(kept, fields());
    write(name, kept);
  };
  fillIn(form, before, fields());
  form.addEventListener("input", keep);
  form.addEventListener("change", keep);
  // A select may get its choices from another one, once the page's own script has heard of that.
  await new Promise((resolve) => setTimeout(resolve, 0));
  fillIn(form, before, fields());
  const holdsEarlier = holdsKeptText(before, fields());
  // On a slow line people type before this script has loaded.
  if (fields().some(({ isTouched }) => isTouched)) keep();
  return holdsEarlier;
}

/** Called once the form has arrived, or to start from what is saved. */
export function forgetHalfFilled(name: string): void {
  try {
    sessionStorage.removeItem(keyOf(name));
  } catch {
    // Storage is blocked, so nothing is kept.
  }
}

function read(name: string): KeptTexts {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? "[]");
    const kept = new Map<string, { text: string; over: string }>();
    if (!Array.isArray(stored)) return kept;
    for (const entry of stored) {
      const [field, text, over]: unknown[] = Array.isArray(entry) ? entry : [];
      if (typeof field === "string" && typeof text === "string" && typeof over === "string")
        kept.set(field, { text, over });
    }
    return kept;
  } catch {
    return new Map();
  }
}

function write(name: string, kept: KeptTexts): void {
  if (kept.size === 0) return forgetHalfFilled(name);
  try {
    sessionStorage.setItem(
      keyOf(name),
      JSON.stringify([...kept].map(([field, { text, over }]) => [field, text, over])),
    );
  } catch {
    // Storage is blocked or full.
  }
}

const keyOf = (name: string) => `half-filled ${name}`;

function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(
    (control): control is Control =>
      (control instanceof HTMLInputElement ||
        control instanceof HTMLSelectElement ||
        control instanceof HTMLTextAreaElement) &&
      control.name !== "" &&
      keptTypes.has(control.type),
  );
}

function fillIn(form: HTMLFormElement, kept: KeptTexts, fields: readonly FieldState[]): void {
  const texts = textsToFillIn(kept, fields);
  for (const control of controlsOf(form)) {
    const text = texts.get(control.name);
    if (text === undefined || !hasChoice(control, text)) continue;
    control.value = text;
    // Tells the page's own script, as if it were typed.
    control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
  }
}

/** `rendered` has what the server rendered, also where the page's own script has changed the choices of a select since. */
function stateOf(control: Control, rendered: ReadonlyMap<string, string>): FieldState {
  const { name, value: text } = control;
  const saved = rendered.get(name) ?? savedIn(control);
  // A select whose choices were exchanged shows the empty one, which nobody has chosen.
  const isTouched = text !== saved && !(control instanceof HTMLSelectElement && text === "");
  return { name, text, saved, isTouched };
}

function savedIn(control: Control): string {
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue;
  return ([...control.options].find(({ defaultSelected }) => defaultSelected) ?? control.options[0])?.value ?? "";
}

function hasChoice(control: Control, text: string): boolean {
  return !(control instanceof HTMLSelectElement) || [...control.options].some(({ value }) => value === text);
}
