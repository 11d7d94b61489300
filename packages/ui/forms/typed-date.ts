import { typedDate } from "@farthing/core/forms/rules.ts";

const before = new WeakMap<HTMLInputElement, string>();

/** Called at each input into the field of a typed date: inserts the dashes, and keeps the parts within their bounds (M3). */
export function completeDate(input: HTMLInputElement): void {
  const text = typedDate(input.value, before.get(input) ?? input.defaultValue);
  before.set(input, text);
  if (text !== input.value) input.value = text;
}

/**
 * Called when such a field gets the focus: it takes a date with a year of four digits, which `completeDate` shortens. The browser would cut it to
 * the year's first two digits, which is another year.
 */
export function takeWholeYear(input: HTMLInputElement): void {
  input.maxLength = "05-11-2026".length;
}
