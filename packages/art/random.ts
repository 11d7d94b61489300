/**
 * A seeded random generator (sfc32): the same seed returns the same numbers on every machine. For drawings and demo data only, never for secrets.
 */
export interface Random {
  /** Returns a number of at least 0 and less than 1. */
  next(): number;
  /** Returns a whole number from min to max, both included. */
  between(min: number, max: number): number;
  /** Returns true with a chance of so many percent. */
  percent(chance: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Returns `count` different items in random order; all of them where there are fewer. */
  sample<Item>(items: readonly Item[], count: number): Item[];
}

export function random(seed: string): Random {
  const next = generator(seed);
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    between,
    percent: (chance) => next() * 100 < chance,
    pick(items) {
      if (items.length === 0) throw new RangeError("There is nothing to pick from: the list is empty.");
      return items[between(0, items.length - 1)] as (typeof items)[number];
    },
    sample(items, count) {
      const rest = [...items];
      for (let i = 0; i < Math.min(count, rest.length); i++) {
        const j = between(i, rest.length - 1);
        [rest[i], rest[j]] = [rest[j] as (typeof items)[number], rest[i] as (typeof items)[number]];
      }
      return rest.slice(0, count);
    },
  };
}

/** sfc32 by Chris Doty-Humphrey (public domain), its state filled from a hash of the seed. */
function generator(seed: string): () => number {
  let [a, b, c, d] = [hash32(`${seed}/a`), hash32(`${seed}/b`), hash32(`${seed}/c`), 1];
  const next = () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}

/** Returns FNV-1a over UTF-16 units, mixed once more so that short, similar texts get different hashes. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
