import { HOTP, Secret, TOTP } from "otpauth";

/** Codes from an app (TOTP, RFC 6238) with the settings every app knows: SHA-1, six digits, thirty seconds. */
const STEP_SECONDS = 30;
const settings = { algorithm: "SHA1", digits: 6 } as const;

/** A new secret of 160 bits, as apps take it: base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** What the QR code says. */
export function totpUri(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  return new TOTP({ ...settings, period: STEP_SECONDS, secret, issuer, label: account }).toString();
}

/** The code of a moment. */
export function totpCode(secret: string, at: Date): string {
  return HOTP.generate({ ...settings, secret: Secret.fromBase32(secret), counter: stepOf(at) });
}

/**
 * The step of time a code belongs to, or null: the present one, or one before or after for clocks that differ, and always a later one than `lastStep`, so that a
 * code is worth something once. The library compares each step in constant time; which steps still count is ours.
 */
export function matchTotp(
  secret: string,
  code: string,
  { at, lastStep }: { at: Date; lastStep: number },
): number | null {
  const token = code.replace(/[\s-]/g, "");
  // The library throws at letters that take more than a byte.
  if (!/^\d{6}$/.test(token)) return null;
  const now = stepOf(at);
  const found = [now - 1, now, now + 1].filter(
    (counter) => HOTP.validate({ ...settings, secret: Secret.fromBase32(secret), token, counter, window: 0 }) !== null,
  );
  return found.find((step) => step > lastStep) ?? null;
}

function stepOf(at: Date): number {
  return TOTP.counter({ period: STEP_SECONDS, timestamp: at.getTime() });
}
