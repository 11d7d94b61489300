import { deflateRawSync } from "node:zlib";

/** What no random value holds, and what people type who mean to replace it later. */
const tellingWords =
  /secret|passw|change.?me|develop|example|farthing|qwerty|asdfgh|letmein|default|replace|placeholder/i;

/**
 * What makes a secret guessable, as the rest of a sentence about it; null where nothing does. The value itself is never part of the answer.
 * @param minLength in characters. Each of them has to be worth two bits by `estimateBits`; random digits, the poorest random text, reach that.
 */
export function weaknessOf(secret: string, minLength: number): string | null {
  if (secret.length < minLength) return `has ${secret.length} characters, fewer than ${minLength}: it could be guessed`;
  if (tellingWords.test(secret)) return "holds a word that guessers try first";
  if (estimateBits(secret) < minLength * 2) return "repeats itself or counts up: it could be guessed";
  return null;
}

/**
 * How hard a secret is to guess, in bits, as far as its text shows: the entropy of its characters or of the steps between them, whichever is
 * less, times the length that is left once repetitions are packed away. An upper estimate: a word list knows more.
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
