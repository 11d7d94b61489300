import { deflateRawSync } from "node:zlib";

/** Words that no random value contains, and that people type as placeholders. */
const tellingWords =
  /secret|passw|change.?me|develop|example|farthing|qwerty|asdfgh|letmein|default|replace|placeholder/i;

/**
 * Returns what makes a secret guessable, as the rest of a sentence about it, or null. The value itself is never part
 * of the answer.
 * @param minLength in characters. Each has to be worth two bits by `estimateBits`, which random digits, the weakest
 * random text, reach.
 */
export function weaknessOf(secret: string, minLength: number): string | null {
  if (secret.length < minLength) return `has ${secret.length} characters, fewer than ${minLength}: it could be guessed`;
  if (tellingWords.test(secret)) return "contains a word that attackers try first";
  if (estimateBits(secret) < minLength * 2) return "repeats itself or counts up: it could be guessed";
  return null;
}

/**
 * Estimates in bits how hard a secret is to guess: the entropy of its characters or of the steps between them,
 * whichever is lower, times its length after compression. This is an upper bound, because an attacker has word lists.
 */
function estimateBits(secret: string): number {
  const characters = [...Buffer.from(secret)];
  const steps = characters.slice(1).map((character, index) => (character - characters[index]! + 256) % 256);
  return Math.min(bitsOf(characters), bitsOf(steps));
}

function bitsOf(symbols: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const symbol of symbols) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  const perSymbol = [...counts.values()]
    .map((count) => count / symbols.length)
    .reduce((sum, share) => sum - share * Math.log2(share), 0);
  const packed = deflateRawSync(Buffer.from(symbols), { level: 9 }).length;
  return perSymbol * Math.min(packed, symbols.length);
}
