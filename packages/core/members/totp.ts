import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Codes from an app (TOTP, RFC 6238) with the settings every app knows: SHA-1, six digits, thirty seconds. */
const stepSeconds = 30;
const digits = 6;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new secret of 160 bits, as apps take it: base32. */
export function newTotpSecret(): string {
  return base32(randomBytes(20));
}

/** What the QR code says. */
export function totpUri(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`;
}

/** The code of a moment. */
export function totpCode(secret: string, at: Date): string {
  return codeOfStep(secret, stepOf(at));
}

/**
 * The step of time a code belongs to, or null: the present one, or one before or after for clocks that differ, and always a later one than `lastStep`, so that a
 * code is worth something once.
 */
export function matchTotp(
  secret: string,
  code: string,
  { at, lastStep }: { at: Date; lastStep: number },
): number | null {
  const given = Buffer.from(code.replace(/[\s-]/g, ""));
  if (given.length !== digits) return null;
  const now = stepOf(at);
  const found = [now - 1, now, now + 1].filter((step) => timingSafeEqual(Buffer.from(codeOfStep(secret, step)), given));
  const step = found.find((candidate) => candidate > lastStep);
  return step ?? null;
}

function stepOf(at: Date): number {
  return Math.floor(at.getTime() / 1000 / stepSeconds);
}

function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join("");
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}
