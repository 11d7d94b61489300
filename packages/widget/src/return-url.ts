import type { RedirectConfiguration } from "./messages.ts";

/**
 * Where the card provider returns people who had to leave the page (W8): the success template, with the placeholder replaced by
 * the context's token. A partner without a redirect configuration gets people back on the page they left.
 */
export function returnUrl(redirect: RedirectConfiguration | undefined, token: string, page: string): string {
  if (!redirect) return page;
  const { templateUrl, idPlaceholder } = redirect.paymentSuccess;
  return idPlaceholder ? templateUrl.replaceAll(idPlaceholder, () => encodeURIComponent(token)) : templateUrl;
}
