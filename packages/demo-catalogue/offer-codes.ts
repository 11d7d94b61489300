import type { Random } from "@farthing/art/random.ts";
import type { RetailerBrief } from "./write-retailer.ts";

/** Returns a code as shops write them, with the number in the title: "BOOTS15", "THANKYOU20". Unique at the retailer. */
export function sharedCode({ name, trade, chance }: RetailerBrief, title: string, codes: Set<string>): string {
  const letters = (text: string) =>
    text
      .normalize("NFKD")
      .toUpperCase()
      .replace(/[^A-Z]/g, "");
  const own = [letters(name.split(" ")[0] as string), letters(trade.word)].filter(
    (word) => word.length >= 3 && word.length <= 9,
  );
  const number = /(\d+)%|£(\d+)/
    .exec(title)
    ?.slice(1)
    .find((found) => found !== undefined);
  const ending = /^free|free$/i.test(title) ? "FREE" : (number ?? "NOW");
  for (let attempt = 0; ; attempt++) {
    const word = chance.pick([
      ...own,
      ...own,
      "MEMBER",
      "THANKYOU",
      "HELLO",
      "TERM",
      "SHIFT",
      "TEATIME",
      "WELCOME",
      "BRAVO",
    ]);
    const code = `${word}${ending}${attempt < 12 ? "" : String.fromCharCode(65 + (attempt % 26))}`;
    if (codes.has(code)) continue;
    codes.add(code);
    return code;
  }
}

const CODE_LETTERS = "23456789ACDEFGHJKLMNPQRTUVWXYZ";

/** Returns the codes of a pool, each for one member: the retailer's letters and eight more, without letters that look alike. */
export function poolCodes(chance: Random, slug: string): string[] {
  const prefix = slug
    .replace(/[^a-z]/g, "")
    .slice(0, 4)
    .toUpperCase();
  const part = () => Array.from({ length: 4 }, () => chance.pick([...CODE_LETTERS])).join("");
  return [...new Set(Array.from({ length: chance.between(12, 40) }, () => `${prefix}-${part()}-${part()}`))];
}
