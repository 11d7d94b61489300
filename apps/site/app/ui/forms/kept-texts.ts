/** What a tab keeps of a field: what was typed, and what the server had rendered in its place. */
export interface KeptText {
  text: string;
  over: string;
}

export type KeptTexts = ReadonlyMap<string, KeptText>;

/** A field as it stands: what is in it, what the server rendered there, and whether a person has changed it on this page. */
export interface FieldState {
  name: string;
  text: string;
  saved: string;
  isTouched: boolean;
}

/**
 * Returns what still holds when a page is opened. What was typed over a text that has changed since is dropped, unless the server
 * gives back what was typed, as a page with errors does.
 */
export function stillKept(kept: KeptTexts, fields: readonly FieldState[]): KeptTexts {
  const savedBy = new Map(fields.map(({ name, saved }) => [name, saved]));
  return new Map(
    [...kept].filter(([name, { text, over }]) => {
      const saved = savedBy.get(name);
      return saved === undefined || saved === over || saved === text;
    }),
  );
}

/** Returns what is kept after a change of the form: the fields that differ from what the server rendered, and no others. */
export function keptAfter(kept: KeptTexts, fields: readonly FieldState[]): KeptTexts {
  const after = new Map(kept);
  for (const { name, text, saved } of fields) {
    const before = kept.get(name);
    const isGivenBack = before !== undefined && before.text === saved;
    if (text !== saved) after.set(name, { text, over: isGivenBack ? before.over : saved });
    else if (!isGivenBack) after.delete(name);
  }
  return after;
}

/** Returns the texts to fill in, by field: never over what the person has changed on this page. */
export function textsToFillIn(kept: KeptTexts, fields: readonly FieldState[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { name, text, isTouched } of fields) {
    const before = kept.get(name);
    if (before && !isTouched && before.text !== text) texts.set(name, before.text);
  }
  return texts;
}

/** Whether the form shows something that was typed earlier and not saved. */
export function holdsKeptText(kept: KeptTexts, fields: readonly FieldState[]): boolean {
  return fields.some(({ name, text, saved }) => text !== saved && kept.get(name)?.text === text);
}
