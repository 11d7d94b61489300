import { createHmac } from "node:crypto";
import { isSameSecret } from "../secrets/secret-token.ts";
import { isUnsubscribeSubject, type UnsubscribeSubject } from "./rules.ts";

export interface Unsubscription {
  brandId: string;
  memberId: string;
  subject: UnsubscribeSubject;
}

/** The key in use, and any before it, with which links in older mails were signed. */
export type UnsubscribeKeys = readonly [string, ...string[]];

/**
 * What the link that ends mails carries (RFC 8058): whose and which, signed. It has no end, as mails lie in mailboxes for years, and all it can do is
 * stop mails; a brand's link is worth nothing at another's host.
 */
export function signUnsubscription(unsubscription: Unsubscription, keys: UnsubscribeKeys): string {
  const member = Buffer.from(unsubscription.memberId.replaceAll("-", ""), "hex").toString("base64url");
  return `${member}.${unsubscription.subject}.${macOf(unsubscription, keys[0])}`;
}

/** Null for anything that was not signed for this brand. */
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
