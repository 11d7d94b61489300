/** How a rate's column `kept` says what operators have set (A2): the names of its parts. What they have given back has its mark until an import writes it. */
export const RELEASED = "released:";

export interface Marks {
  kept: readonly string[];
  released: readonly string[];
}

export function readMarks(marks: readonly string[]): { kept: string[]; released: string[] } {
  return {
    kept: marks.filter((mark) => !mark.startsWith(RELEASED)),
    released: marks.filter((mark) => mark.startsWith(RELEASED)).map((mark) => mark.slice(RELEASED.length)),
  };
}

/** Returns the column's value, in order. What is kept is not given back. */
export function writeMarks({ kept, released }: Marks): string[] {
  const given = released.filter((name) => !kept.includes(name)).map((name) => `${RELEASED}${name}`);
  return [...new Set([...kept, ...given])].toSorted();
}
