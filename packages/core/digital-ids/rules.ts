/**
 * The codes of a digital ID (M6, docs/decisions/018-digital-id-codes.md): six characters (30 bits) identify the device,
 * and six prove that it is this device, now. Server and browser share this code; each signs with its own HMAC-SHA-256.
 */

/** How long a code is shown. */
export const STEP_SECONDS = 30;

/** Crockford's base 32: without I, L, O and U, so that nothing is misread or spells a word. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const HALF = 6;

/** Returns the time step of `ms` (since 1970). */
export function stepAt(ms: number): number {
  return Math.floor(ms / (STEP_SECONDS * 1000));
}

/** Returns how long the code of this moment is still shown, in ms: more than 0, at most a whole step. */
export function msLeft(ms: number): number {
  return (stepAt(ms) + 1) * STEP_SECONDS * 1000 - ms;
}

/**
 * Returns the steps whose codes are accepted at `ms`: the current one, and one to each side for clocks that differ and
 * people who are slow.
 */
export function acceptedSteps(ms: number): number[] {
  const step = stepAt(ms);
  return [step - 1, step, step + 1];
}

/** Returns the text that the device's secret signs. */
export function signedText(handle: string, step: number): string {
  return `farthing digital id 1\n${handle}\n${step}`;
}

/** Returns the first 30 bits as six characters: a handle from random bytes, or a sign from an HMAC. */
export function sixCharacters(bytes: Uint8Array): string {
  let text = "";
  for (let index = 0; index < HALF; index += 1) {
    const bit = index * 5;
    const pair = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    text += ALPHABET.charAt((pair >> (11 - (bit & 7))) & 31);
  }
  return text;
}

/** Returns a code as people read it: `K7Q2-9MXA-4TBD`. */
export function groupedCode(code: string): string {
  return code.match(/.{1,4}/g)?.join("-") ?? "";
}

/**
 * Returns the two halves of a scanned or typed code, or null if it is none. Accepts small letters, spaces and dashes, O
 * for 0, and I and L for 1.
 */
export function readCode(typed: string | null): { handle: string; sign: string } | null {
  if (typed === null || typed.length > 40) return null;
  const code = typed
    .toUpperCase()
    .replace(/[\s\-–—.]/g, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
  if (!/^[0-9A-HJKMNP-TV-Z]{12}$/.test(code)) return null;
  return { handle: code.slice(0, HALF), sign: code.slice(HALF) };
}

/** Returns the address in a code's QR code, at the brand's own host. */
export function checkAddress(origin: string, code: string): string {
  return `${origin}/check?c=${code}`;
}
