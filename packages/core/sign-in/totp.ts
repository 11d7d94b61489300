import { HOTP, Secret, TOTP } from "otpauth";

/** TOTP (RFC 6238) with the settings that every app supports: SHA-1, six digits, thirty seconds. */
const STEP_SECONDS = 30;
const settings = { algorithm: "SHA1", digits: 6 } as const;

/** Returns a new secret of 160 bits (RFC 4226 section 4, R6) in base32, as apps take it. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** Returns the otpauth: address for the QR code. */
export function totpUri(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  return new TOTP({ ...settings, period: STEP_SECONDS, secret, issuer, label: account }).toString();
}

/** Returns the code of a moment. */
export function totpCode(secret: string, at: Date): string {
  return HOTP.generate({ ...settings, secret: Secret.fromBase32(secret), counter: stepOf(at) });
}

/**
 * Returns the time step of a code, or null. Accepts the current step and one before and after it, for clocks that
 * differ (RFC 6238 section 5.2), and only steps after `lastStep`, so that a code works once. The library compares in
 * constant time; which steps count is decided here.
 */
export function matchTotp(
  secret: string,
  code: string,
  { at, lastStep }: { at: Date; lastStep: number },
): number | null {
  const token = code.replace(/[\s-]/g, "");
  // The library throws on characters of more than one byte.
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
