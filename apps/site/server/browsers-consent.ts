import { CONSENT_COOKIE, consentValue, readConsentValue, VISIT_COOKIE } from "@farthing/core/consent/consent-cookie.ts";
import {
  CONSENT_SECONDS,
  type ConsentChoice,
  grantedPurposes,
  isCurrent,
  type Purpose,
  purposesOf,
} from "@farthing/core/consent/rules.ts";
import type { Brand } from "@farthing/core/brands/brand.ts";

/** What the browser of a request has been allowed by the person who uses it (T6). */
export interface BrowsersConsent {
  /** What the brand asks for. */
  asked: Purpose[];
  granted: Purpose[];
  /** The choice that holds; null: none yet, or it is too old. */
  choice: ConsentChoice | null;
  /** Whether the browser sends Global Privacy Control, which refuses everything. */
  hasSignal: boolean;
}

interface Asking {
  brand: Pick<Brand, "features" | "tracking">;
  headers: Pick<Headers, "get">;
  /** Scheme and host that the visitor used. */
  origin: string;
  now: Date;
}

/** Reads what the browser of a request has been allowed. */
export function consentOf({ brand, headers, origin, now }: Asking): BrowsersConsent {
  const asked = purposesOf(brand);
  const hasSignal = headers.get("sec-gpc") === "1";
  const cookies = headers.get("cookie") ?? "";
  const name = cookieName(CONSENT_COOKIE, origin);
  const value = new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(cookies)?.[1];
  const read = readConsentValue(value);
  const choice = read && isCurrent(read, now) ? read : null;
  return { asked, granted: grantedPurposes(choice, { asked, hasSignal, now }), choice, hasSignal };
}

/** Returns the Set-Cookie header that keeps a choice. Scripts may read it (core/consent/consent-cookie.ts). */
export function keepConsent(choice: ConsentChoice, { origin, isScripted }: { origin: string; isScripted: boolean }) {
  return `${cookieName(CONSENT_COOKIE, origin)}=${consentValue(choice, { isScripted })}; Max-Age=${CONSENT_SECONDS}; ${attributes(origin)}`;
}

/** Returns the Set-Cookie header that numbers this visit, until the browser is closed (T2). */
export function startVisit(sessionId: string, origin: string): string {
  return `${cookieName(VISIT_COOKIE, origin)}=${sessionId}; ${attributes(origin)}`;
}

export function endVisit(origin: string): string {
  return `${cookieName(VISIT_COOKIE, origin)}=; Max-Age=0; ${attributes(origin)}`;
}

/** A header has room for no more. */
const MAX_FOREIGN = 30;
/** Ours, and those of the card provider, which protect payments. */
const KEPT = /^(?:__Host-|__Secure-)?farthing_|^__stripe_/;

/**
 * Returns Set-Cookie headers that delete what tags have stored in this browser: every cookie that is not ours, on this host and on the domains above it,
 * where tags like to put them. Of a browser that is not known to have agreed to tags, the domains above lose only cookies named as tags name theirs: the
 * others may be of another site of the same organisation, such as its login. Over https each is Secure, without which browsers ignore the deletion of `__Secure-` and `__Host-` names.
 */
export function endForeignCookies(cookieHeader: string | null, origin: string, hadTags: boolean): string[] {
  const names = (cookieHeader ?? "")
    .split(";")
    .map((pair) => pair.split("=", 1)[0]?.trim() ?? "")
    .filter((name) => /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) && !KEPT.test(name))
    .slice(0, MAX_FOREIGN);
  const { hostname } = new URL(origin);
  const labels = hostname.split(".");
  // A domain of one label, such as "example", takes no cookies.
  const domains = labels.slice(0, -1).map((_, at) => labels.slice(at).join("."));
  const end = `=; Max-Age=0; Path=/${secure(origin)}`;
  const isOfTag = (name: string) => hadTags || /^_[a-z]/.test(name);
  return names.flatMap((name) => [
    `${name}${end}`,
    ...domains
      .filter((domain) => domain === hostname || isOfTag(name))
      .map((domain) => `${name}${end}; Domain=${domain}`),
  ]);
}

/**
 * Returns Set-Cookie headers that delete what an earlier yes has left in a browser that refuses everything: the number of its visit and what
 * `endForeignCookies` names. None where there is nothing of it.
 */
export function endAll(cookieHeader: string | null, origin: string, hadTags: boolean): string[] {
  const isNumbered = new RegExp(`(?:^|;\\s*)${cookieName(VISIT_COOKIE, origin)}=`).test(cookieHeader ?? "");
  return [...(isNumbered ? [endVisit(origin)] : []), ...endForeignCookies(cookieHeader, origin, hadTags)];
}

const isSecure = (origin: string) => origin.startsWith("https:");
const cookieName = (name: string, origin: string) => `${isSecure(origin) ? "__Host-" : ""}${name}`;
const secure = (origin: string) => (isSecure(origin) ? "; Secure" : "");
const attributes = (origin: string) => `Path=/${secure(origin)}; SameSite=Lax`;
