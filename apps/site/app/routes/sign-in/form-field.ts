/** A text field of a posted form: what was sent, cut to a length that nothing of ours needs more than; "" where there is none. */
export function field(form: FormData, name: string, longest = 1000): string {
  const value = form.get(name);
  return typeof value === "string" ? value.slice(0, longest) : "";
}
