import { createHmac } from "node:crypto";
import { isSameSecret } from "../secrets/secret-token.ts";
import { isUnsubscribeSubject, type UnsubscribeSubject } from "./rules.ts";

export interface Unsubscription {
  brandId: string;
  memberId: string;
  subject: UnsubscribeSubject;
}

/** The current key, followed by earlier ones that links in older mails were signed with. */
export type UnsubscribeKeys = readonly [string, ...string[]];

/**
 * Returns the token of an unsubscribe link (RFC 8058): member and subject, with an HMAC-SHA-256. It does not expire,
 * because mails stay in mailboxes for years, and it can only stop mails. The brand is part of the MAC, so another brand
 * refuses the link.
 */
export function signUnsubscription(unsubscription: Unsubscription, keys: UnsubscribeKeys): string {
  const member = Buffer.from(unsubscription.memberId.replaceAll("-", ""), "hex").toString("base64url");
  return `${member}.${unsubscription.subject}.${macOf(unsubscription, keys[0])}`;
}

/** Returns what a token unsubscribes from, or null if it was not signed for this brand. */
export function readUnsubscription(token: string, brandId: string, keys: UnsubscribeKeys): Unsubscription | null {
  const [, member = "", subject = "", mac = ""] = /^([\w-]{22})\.([a-z-]{4,40})\.([\w-]{43})$/.exec(token) ?? [];
  if (!isUnsubscribeSubject(subject)) return null;
  const hex = Buffer.from(member, "base64url").toString("hex");
  const memberId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  const unsubscription = { brandId, memberId, subject };
  return keys.some((key) => isSameSecret(mac, macOf(unsubscription, key))) ? unsubscription : null;
}

function macOf({ brandId, memberId, subject }: Unsubscription, key: string): string {
  return createHmac("sha256", key).update(`unsubscribe\n${brandId}\n${memberId}\n${subject}`).digest("base64url");
}
