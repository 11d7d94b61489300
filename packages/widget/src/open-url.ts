import { isHttpUrl } from "./http-url.ts";
import type { OpenUrlPayload } from "./messages.ts";

/**
 * Opens the URL of an OPEN_URL or REDIRECT_PAYMENT message (W5), if it is absolute http(s): in a new tab without opener or referrer, or in
 * this window. Returns false, without opening it, if the browser would block the new tab because there was no recent user action.
 */
export function openUrl({ url, newTab }: OpenUrlPayload): boolean {
  if (isHttpUrl(url)) {
    if (!newTab) location.assign(url);
    else if (navigator.userActivation?.isActive === false) return false;
    else window.open(url, "_blank", "noopener,noreferrer");
  }
  return true;
}
