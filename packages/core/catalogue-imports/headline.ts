/**
 * Returns the headline of an offer card, for example "15% off", taken from a promotion's title. Networks send no such field; the editorial file
 * may replace it.
 */
export function headlineOf(title: string): string {
  for (const [pattern, headline] of patterns) {
    const found = pattern.exec(title);
    if (found !== null) return headline(found);
  }
  return "Special offer";
}

const patterns: readonly [RegExp, (found: RegExpExecArray) => string][] = [
  [/\bup to (\d{1,2})\s?% off\b/i, (found) => `Up to ${found[1]}% off`],
  [/\b(\d{1,2})\s?% (?:off|discount)\b/i, (found) => `${found[1]}% off`],
  [/\bsave (\d{1,2})\s?%/i, (found) => `${found[1]}% off`],
  [/\bup to (£\d[\d,]*(?:\.\d\d)?) off\b/i, (found) => `Up to ${found[1]} off`],
  [/(£\d[\d,]*(?:\.\d\d)?) off\b/i, (found) => `${found[1]} off`],
  [/\bsave (?:an extra )?(£\d[\d,]*(?:\.\d\d)?)/i, (found) => `${found[1]} off`],
  [/\bhalf[- ]price\b/i, () => "Half price"],
  [/\b(\d) for (?:the price of )?(\d)\b/i, (found) => `${found[1]} for ${found[2]}`],
  [/\b(\d|two|three) for (£\d+)\b/i, (found) => `${found[1]} for ${found[2]}`],
  [/\bbuy one,? get one free\b/i, () => "Buy one, get one free"],
  [/\bkids (eat|go|stay) free\b/i, (found) => `Kids ${found[1]} free`],
  [/\bfree (?:next[- ]day |standard |uk |express )?delivery\b/i, () => "Free delivery"],
  [
    /\b(one|two|three|four|six) months? free\b/i,
    (found) => `${capital(found[1])} ${found[1] === "one" ? "month" : "months"} free`,
  ],
  [/(£\d[\d,]*) (gift card|voucher)\b/i, (found) => `${found[1]} ${found[2]}`],
  [/\bfree ([a-z][a-z'-]*(?: [a-z][a-z'-]*)?)/i, (found) => `Free ${found[1]}`],
  [/\bfrom (£\d[\d,]*(?:\.\d\d)?)/i, (found) => `From ${found[1]}`],
  [/\b(\d{1,2})\s?% back\b/i, (found) => `${found[1]}% back`],
];

function capital(word: string | undefined): string {
  return word === undefined ? "" : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
}
