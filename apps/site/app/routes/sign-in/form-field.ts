/**
 * Returns a text field of a posted form, cut to a length that is enough for every field of ours; "" where there
 * is none.
 */
export function field(form: FormData, name: string, longest = 1000): string {
  const value = form.get(name);
  return typeof value === "string" ? value.slice(0, longest) : "";
}
