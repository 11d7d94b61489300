/**
 * Refuses claims that mislead about money (C5), as the Advertising Standards Authority has ruled against cashback sites and the CAP Code says
 * (rules 3.7, 3.22, 3.33): "up to" without the lowest amount, and superlatives that nothing proves. Pure.
 */

/** "up to 30% off", "up to £50 cashback". "Up to 20 letters" is no claim about money. */
const UP_TO =
  /\bup to\s+(?:£\s?\d[\d,.]*|\d[\d,.]*\s?(?:%|per ?cent))(?:\s+[\w-]+){0,2}?\s+(?:off|cash ?back|back|discount|savings?|reductions?|less|cheaper)\b/i;

/** "from 10%", "between £5 and £50", "10% to 30%": the text states where it begins. */
const LOWEST =
  /\b(?:from|between|at least|minimum(?: of)?)\s+(?:£\s?\d|\d[\d,.]*\s?(?:%|per ?cent))|\d[\d,.]*(?:\s?%)?\s*(?:to|–|-|and)\s*\d[\d,.]*\s?%|£\s?\d[\d,.]*\s*(?:to|–|-)\s*£\s?\d/i;

const SUPERLATIVE =
  /\b(?:(?:best|highest|biggest|largest|lowest|cheapest|most generous|unbeatable|unrivalled|unmatched)(?:\s+[\w-]+)?\s+(?:cash ?back|rates?|prices?|deals?|discounts?|savings?|value)(?!\s+paid\b)|(?:guaranteed|market[- ]leading)\s+(?:cash ?back|rates?|savings?|prices?)|(?:no\.?|number)\s?(?:1|one)\s+(?:for|in)\b|(?:best|lowest|cheapest)\s+price\s+guarantee\w*)/i;

/** A source with a year, by which a reader can look it up: "according to Which?, May 2026". */
const EVIDENCE = /\b(?:source|according to|survey|study|compared (?:with|to|on)|award(?:ed)?)\b[^.]{0,80}\b20\d\d\b/i;

/**
 * Returns what is wrong with the words of an offer, as a sentence for the person who has the file, or null.
 * @param texts everything that the member reads together: what one text claims, another may prove
 */
export function misleadingClaim(texts: readonly string[]): string | null {
  const all = texts.join("\n");
  const upTo = UP_TO.exec(all);
  if (upTo && !LOWEST.test(all.replace(upTo[0], "")))
    return `claims “${shown(upTo[0])}” without the lowest amount; say where it begins, such as “from 10%”`;
  return unprovedSuperlative(all);
}

/** Returns the same for a text that stands alone, where an amount is explained elsewhere. */
export function unprovedSuperlative(text: string): string | null {
  const superlative = SUPERLATIVE.exec(text);
  if (!superlative || EVIDENCE.test(text)) return null;
  return `claims “${shown(superlative[0])}” without evidence; name the source and its year, or leave the claim out`;
}

function shown(words: string): string {
  return words.replaceAll(/\s+/g, " ");
}
