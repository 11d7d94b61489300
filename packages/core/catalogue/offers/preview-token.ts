import { createHmac } from "node:crypto";
import { isSameSecret } from "../../secrets/secret-token.ts";

/** How long a link to a preview works. */
export const PREVIEW_MS = 15 * 60_000;

export interface PreviewArguments {
  /** Key of the HMAC; the server's previewKey. */
  key: string;
  /** The offer's public id. */
  publicId: string;
  now: Date;
}

/**
 * Returns the token with which a link shows one offer as it will be once it is published (A2). Operators make it; whoever has the link sees
 * the page for a quarter of an hour, and nothing else.
 */
export function issuePreview({ key, publicId, now }: PreviewArguments): string {
  const until = String(now.getTime() + PREVIEW_MS);
  return `${until}.${sealOf(key, publicId, until)}`;
}

/** Returns whether the token (any text from an address) is ours, of this offer, and not over. */
export function isPreview(token: string, { key, publicId, now }: PreviewArguments): boolean {
  const [until = "", seal = "", ...more] = token.split(".");
  if (!/^\d{10,16}$/.test(until) || more.length > 0 || Number(until) <= now.getTime()) return false;
  return isSameSecret(seal, sealOf(key, publicId, until));
}

function sealOf(key: string, publicId: string, until: string): string {
  return createHmac("sha256", key).update(`farthing offer preview\0${publicId}\0${until}`).digest("base64url");
}
