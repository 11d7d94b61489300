import type { PreFlightFinding } from "@farthing/core/clicks/pre-flight.ts";

/** Where a deal link leads, and what was found there. */
export interface PreFlight {
  /** The network's host as people read it, such as `www.awin1.com`; null where there was nothing to ask. */
  host: string | null;
  finding: PreFlightFinding | null;
}

const NOTHING_TO_ASK: PreFlight = { host: null, finding: null };

/**
 * Asks the network's host whether this browser reaches it, without cookies or referrer: the request says no more than
 * that somebody is there. `checkedBy` is our own address, which answers with the link's origin.
 * A refusal by our own content security policy, after a redirect, says nothing about the browser.
 */
export async function checkPreFlight(checkedBy: string): Promise<PreFlight> {
  const origin = await originOf(checkedBy);
  if (origin === null) return NOTHING_TO_ASK;
  const host = new URL(origin).hostname;
  if (!navigator.cookieEnabled) return { host, finding: "no_cookies" };
  const ownPolicy = new AbortController();
  let isOurs = false;
  document.addEventListener("securitypolicyviolation", () => (isOurs = true), { signal: ownPolicy.signal });
  try {
    await fetch(`${origin}/robots.txt`, {
      mode: "no-cors",
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
    });
    return { host, finding: "healthy" };
  } catch {
    // The event of our policy follows the error.
    await new Promise((resolve) => setTimeout(resolve));
    return isOurs ? NOTHING_TO_ASK : { host, finding: "blocked" };
  } finally {
    ownPolicy.abort();
  }
}

/** Returns the origin of the link, or null where it has none or our own server does not answer: that is no fault of the network's. */
async function originOf(checkedBy: string): Promise<string | null> {
  try {
    const answer = await fetch(checkedBy, { headers: { accept: "application/json" } });
    if (!answer.ok) return null;
    const { origin } = (await answer.json()) as { origin?: unknown };
    return typeof origin === "string" ? origin : null;
  } catch {
    return null;
  }
}
