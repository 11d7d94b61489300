import { isHttpUrl } from "./http-url.ts";
import type { OpenUrlPayload } from "./messages.ts";

/**
 * Follows OPEN_URL and REDIRECT_PAYMENT (W5): absolute http(s) only, in a new tab without opener or referrer, or in this window.
 * Gives false when the browser would block a new tab because nobody has just pressed anything; the host is told instead.
 */
export function openUrl({ url, newTab }: OpenUrlPayload): boolean {
  if (isHttpUrl(url)) {
    if (!newTab) location.assign(url);
    else if (navigator.userActivation?.isActive === false) return false;
    else window.open(url, "_blank", "noopener,noreferrer");
  }
  return true;
}
