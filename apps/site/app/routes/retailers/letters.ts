/** The letters of the A to Z. `0` is everything that does not begin with a letter. */
export const allLetters = [..."abcdefghijklmnopqrstuvwxyz", "0"] as const;

export function letterName(letter: string): string {
  return letter === "0" ? "0–9" : letter.toUpperCase();
}

/** Groups retailers by letter, in the given order. An accent does not change a name's letter. */
export function groupByLetter<Row extends { name: string }>(rows: readonly Row[]): [letter: string, rows: Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const initial = row.name.normalize("NFKD").charAt(0).toLowerCase();
    const letter = /[a-z]/.test(initial) ? initial : "0";
    groups.set(letter, [...(groups.get(letter) ?? []), row]);
  }
  return [...groups];
}
