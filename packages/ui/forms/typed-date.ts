import { MAX_TYPED_DATE_LENGTH, typedDate } from "@farthing/core/forms/rules.ts";
import type { ClipboardEvent } from "react";

const before = new WeakMap<HTMLInputElement, string>();

/** Called at each input into the field of a typed date: inserts the dashes, and keeps the parts within their bounds (M3). */
export function completeDate(input: HTMLInputElement): void {
  const text = typedDate(input.value, before.get(input) ?? input.defaultValue);
  before.set(input, text);
  if (text !== input.value) input.value = text;
}

/** Called at a paste into such a field: a whole date takes the place of what is there, its year with two digits or four. */
export function pasteDate(event: ClipboardEvent, input: HTMLInputElement): void {
  const text = typedDate(event.clipboardData.getData("text"));
  if (text.length < MAX_TYPED_DATE_LENGTH) return;
  event.preventDefault();
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Takes the browser's limit from such a field, once the script has begun to apply it: the browser would cut a year of four digits to its
 * first two, which is another year.
 */
export function limitByScript(input: HTMLInputElement | null): void {
  input?.removeAttribute("maxlength");
}
