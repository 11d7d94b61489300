/** The ids of a click (C1). Random values come from the platform's generator. */

/** Crockford's base 32 has no I, L, O or U, so that a number read aloud or copied from paper is typed correctly. */
const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const pool = new Uint8Array(4_096);
let used = pool.length;

/** Returns random bytes, drawn from the generator for a few hundred clicks at a time. No byte is returned twice. */
function randomBytes(count: number): Uint8Array {
  if (used + count > pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const bytes = pool.slice(used, used + count);
  pool.fill(0, used, used + count);
  used += count;
  return bytes;
}

/** Returns a reference for the network: 128 random bits as 22 characters of A–Z, a–z, 0–9, - and _. It contains nothing about the member. */
export function newReference(): string {
  const bytes = randomBytes(16);
  return btoa(String.fromCharCode(...bytes))
    .slice(0, 22)
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/** Returns a number for the member to quote: 60 random bits as `7K3M-9QX2-4TVB`. It cannot be derived from the reference, nor the reference from it. */
export function newClickNumber(): string {
  const letters = [...randomBytes(12)].map((byte) => CROCKFORD[byte & 31]).join("");
  return `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`;
}
