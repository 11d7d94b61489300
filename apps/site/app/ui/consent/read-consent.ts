import { CONSENT_COOKIE } from "@farthing/core/consent/consent-cookie.ts";
import { CONSENT_VERSION } from "@farthing/core/consent/rules.ts";

/**
 * A script for the head that runs before anything is drawn: sets `data-consent` on <html> to what this browser agrees to, so that the question does not
 * flash up where it was answered. Empty: everything is refused, here or by Global Privacy Control. Absent: not answered. Its text is the same on every
 * page, because visitors' pages come from a cache, which knows nobody's choice. Where cookies are closed, as in a sandboxed frame, reading them throws and
 * the question shows.
 */
export const READ_CONSENT = `try{var d=document.documentElement,c=/(?:^|; )(?:__Host-)?${CONSENT_COOKIE}=${CONSENT_VERSION}\\.\\d+\\.([a-z-]+)/.exec(document.cookie);if(navigator.globalPrivacyControl)d.dataset.consent="";else if(c)d.dataset.consent=c[1]=="none"?"":c[1].replace(/-/g," ")}catch(e){}`;
