/** Texts that cost careless code much time: expressions that try again from each place, and letters of several bytes. Each is `length` characters long. */
export function hardTexts(length: number): Record<string, string> {
  const of = (unit: string) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  return {
    "one letter": of("a"),
    spaces: `x${of(" ")}x`,
    "words of a letter": of("a b "),
    addresses: of("a@a."),
    hyphens: of("a-"),
    digits: of("1"),
    quotes: of(`"'`),
    tags: of("<a "),
    percent: of("%25"),
    emoji: of("👩‍🚀"),
    "combining marks": of("a\u0301"),
    Hangul: of("한"),
  };
}
