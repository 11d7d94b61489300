/**
 * What is typed into a form and not sent yet, in this tab only: `sessionStorage` ends with the tab, and a log-out empties it. Without storage
 * nothing is kept, and the form works as before.
 */
export type HalfFilled = Readonly<Record<string, string>>;

export function readHalfFilled(name: string): HalfFilled {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter(([, text]) => typeof text === "string"));
  } catch {
    return {};
  }
}

export function keepHalfFilled(name: string, values: HalfFilled): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify(values));
  } catch {
    // Storage is blocked or full.
  }
}

/** half-filled.behaviour.ts has the same key, without the bytes of this module. */
function keyOf(name: string): string {
  return `half-filled ${name}`;
}
