/**
 * The codes of a digital ID (product.md M6, docs/decisions/018-digital-id-codes.md): six characters that say which device, six that say it is that device
 * and now. Server and browser work them out alike; only the signing (HMAC-SHA256) is each one's own.
 */

/** How long a code is shown. */
export const STEP_SECONDS = 30;

/** Crockford's base 32: no I, L, O or U, so that nothing is misread or means something. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const half = 6;

/** The step of time that `ms` (since 1970) lies in. */
export function stepAt(ms: number): number {
  return Math.floor(ms / (STEP_SECONDS * 1000));
}

/** How long the code of this moment is still shown, in ms: more than 0, at most a whole step. */
export function msLeft(ms: number): number {
  return (stepAt(ms) + 1) * STEP_SECONDS * 1000 - ms;
}

/** The steps whose codes are taken at `ms`: this one, and one to each side for clocks that differ and people who are slow. Never two steps old. */
export function acceptedSteps(ms: number): number[] {
  const step = stepAt(ms);
  return [step - 1, step, step + 1];
}

/** What is signed with the device's secret. */
export function signedText(handle: string, step: number): string {
  return `farthing digital id 1\n${handle}\n${step}`;
}

/** Six characters out of the first 30 bits: a handle out of random bytes, or a sign out of an HMAC. */
export function sixCharacters(bytes: Uint8Array): string {
  let text = "";
  for (let index = 0; index < half; index += 1) {
    const bit = index * 5;
    const pair = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    text += alphabet.charAt((pair >> (11 - (bit & 7))) & 31);
  }
  return text;
}

/** A code as people read it and type it: `K7Q2-9MXA-4TBD`. */
export function groupedCode(code: string): string {
  return code.match(/.{1,4}/g)?.join("-") ?? "";
}

/** The two halves of a code as it was scanned or typed (small letters, spaces and dashes, O for 0, I and L for 1), or null for what is none. */
export function readCode(typed: string | null): { handle: string; sign: string } | null {
  if (typed === null || typed.length > 40) return null;
  const code = typed
    .toUpperCase()
    .replace(/[\s\-–—.]/g, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
  if (!/^[0-9A-HJKMNP-TV-Z]{12}$/.test(code)) return null;
  return { handle: code.slice(0, half), sign: code.slice(half) };
}

/** The address that a code's QR code opens, at the brand's own host. */
export function checkAddress(origin: string, code: string): string {
  return `${origin}/check?c=${code}`;
}
