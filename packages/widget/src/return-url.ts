import type { RedirectConfiguration } from "./messages.ts";

/** The parameter by which the widget knows the page's address again as one that it gave the card provider. Its value is the context's token. */
export const MARK = "farthing_payment";
const SECRET = "payment_intent_client_secret";
/** What the widget and the card provider add to the address. */
const ADDED = [MARK, SECRET, "payment_intent", "redirect_status"];

/** A payer who has come back from the card provider's page: the context's token, and the payment's client secret. */
export type Return = { token: string; clientSecret: string };

/**
 * Returns the address that the card provider sends payers back to after they left the page (W8): the success template with the placeholder
 * replaced by the context's token. Without a redirect configuration, it is the page they left, with the token as a parameter.
 */
export function returnUrl(redirect: RedirectConfiguration | undefined, token: string, page: string): string {
  if (!redirect) {
    const url = withoutReturn(page);
    url.search += `${url.search && "&"}${MARK}=${encodeURIComponent(token)}`;
    return url.href;
  }
  const { templateUrl, idPlaceholder } = redirect.paymentSuccess;
  return idPlaceholder ? templateUrl.replaceAll(idPlaceholder, () => encodeURIComponent(token)) : templateUrl;
}

/** Reads a payer's return from the page's address. Undefined where it is not one that `returnUrl` made: the page can have payments of its own. */
export function readReturn(page: string): Return | undefined {
  const { searchParams } = new URL(page);
  const token = searchParams.get(MARK);
  const clientSecret = searchParams.get(SECRET);
  return token && clientSecret ? { token, clientSecret } : undefined;
}

/** Returns the address without what a return adds to it. The page's own parameters and hash stay as they are written. */
export function withoutReturn(page: string): URL {
  const url = new URL(page);
  url.search = url.search
    .slice(1)
    .split("&")
    .filter((one) => !ADDED.includes(one.split("=")[0]!))
    .join("&");
  return url;
}
