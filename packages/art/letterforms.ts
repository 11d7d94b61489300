/**
 * A geometric alphabet of paths, so that a mark needs no font. Each letter is one line of arcs and straight strokes, centred on x = 0, from y = 0 to y = 40.
 * `halfWidth` is how far the middle of the line extends to either side.
 */
export interface Letterform {
  path: string;
  halfWidth: number;
}

const letter = (halfWidth: number, path: string): Letterform => ({ path, halfWidth });

export const letterforms: Readonly<Record<string, Letterform>> = {
  A: letter(16, "M-16 40L0 0L16 40M-10 26H10"),
  B: letter(13, "M-12 0V40M-12 0H1a9.5 9.5 0 0 1 0 19H-12M1 19H3a10.5 10.5 0 0 1 0 21H-12"),
  C: letter(17, "M13.4 6.6A19 19 0 1 0 13.4 33.4"),
  D: letter(16, "M-15 0V40H-5A20 20 0 0 0 -5 0Z"),
  E: letter(12, "M12 0H-11V40H12M-11 20H8"),
  F: letter(12, "M12 0H-11V40M-11 20H8"),
  G: letter(18, "M13.4 6.6A19 19 0 1 0 19 21H4"),
  H: letter(14, "M-14 0V40M14 0V40M-14 20H14"),
  I: letter(8, "M0 0V40M-8 0H8M-8 40H8"),
  J: letter(11, "M11 0V28.500a11 11 0 0 1 -22 0"),
  K: letter(13, "M-13 0V40M13 0L-13 23M-4 15L14 40"),
  L: letter(11, "M-10 0V40H12"),
  M: letter(18, "M-18 40V0L0 24L18 0V40"),
  N: letter(15, "M-15 40V0L15 40V0"),
  O: letter(19, "M0 1A19 19 0 1 0 .1 1Z"),
  P: letter(13, "M-12 40V0H2a11.5 11.5 0 0 1 0 23H-12"),
  Q: letter(19, "M0 1A19 19 0 1 0 .1 1ZM6 26L18 39"),
  R: letter(13, "M-12 40V0H2a11.5 11.5 0 0 1 0 23H-12M0 23L14 40"),
  S: letter(11, "M9.4 6.600A10 10 0 1 0 0 20A10 10 0 1 1 -9.4 33.4"),
  T: letter(15, "M-15 0H15M0 0V40"),
  U: letter(14, "M-14 0V26a14 14 0 0 0 28 0V0"),
  V: letter(16, "M-16 0L0 40L16 0"),
  W: letter(20, "M-20 0L-10.5 40L0 6L10.5 40L20 0"),
  X: letter(14, "M-14 0L14 40M14 0L-14 40"),
  Y: letter(15, "M-15 0L0 20L15 0M0 20V40"),
  Z: letter(13, "M-13 0H13L-13 40H13"),
};

/** Returns the initials of a name's main words: S, D for "Sorrel & Dune", C, A for "Café Amberlune"; "The" is skipped. */
export function initialsOf(name: string): string[] {
  const initials = name
    .normalize("NFKD")
    .replace(/[\u0300-\u036f'’]/g, "")
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== "" && !/^(the|and|of|for)$/i.test(word))
    .map((word) => word.charAt(0).toUpperCase());
  return initials.length === 0 ? ["O"] : initials;
}
