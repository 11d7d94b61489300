import { type ConsentChoice, type Purpose, PURPOSES } from "./rules.ts";

/**
 * The cookie that keeps a choice in one browser (T6): `1.1795600000.measurement-tags`, which is the version of the words, the time in seconds and the
 * purposes, or `none`. Scripts read it, so that pages that are the same for everybody know what this browser has chosen.
 */
export const CONSENT_COOKIE = "farthing_consent";

/**
 * The end of the cookie where the choice was made without script. Only the server can hide the question there, so such a browser gets pages of its own
 * instead of the shared ones; the page's script takes the end off.
 */
export const WITHOUT_SCRIPT = ".plain";

const VALUE = /^(\d{1,4})\.(\d{9,11})\.([a-z-]{1,60})(\.plain)?$/;

/** Returns the value of the cookie for a choice. */
export function consentValue({ version, chosenAt, purposes }: ConsentChoice, { isScripted = true } = {}): string {
  const seconds = Math.floor(chosenAt.getTime() / 1000);
  return `${version}.${seconds}.${purposes.join("-") || "none"}${isScripted ? "" : WITHOUT_SCRIPT}`;
}

/** Returns the choice that a value of the cookie stands for; null where it is not one of ours. */
export function readConsentValue(value: string | null | undefined): ConsentChoice | null {
  const [, version, seconds, names = ""] = VALUE.exec(value ?? "") ?? [];
  if (version === undefined) return null;
  const named = new Set(names.split("-"));
  return {
    version: Number(version),
    chosenAt: new Date(Number(seconds) * 1000),
    purposes: PURPOSES.filter((purpose): purpose is Purpose => named.has(purpose)),
  };
}

/** The cookie that tells one visit from the next (T2): a random number, set when somebody agrees to be counted, gone when the browser is closed. */
export const VISIT_COOKIE = "farthing_visit";
