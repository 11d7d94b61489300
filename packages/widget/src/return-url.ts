import type { RedirectConfiguration } from "./messages.ts";

/**
 * Returns the address that the card provider sends payers back to after they left the page (W8): the success template with the placeholder
 * replaced by the context's token. Without a redirect configuration, it is the page they left.
 */
export function returnUrl(redirect: RedirectConfiguration | undefined, token: string, page: string): string {
  if (!redirect) return page;
  const { templateUrl, idPlaceholder } = redirect.paymentSuccess;
  return idPlaceholder ? templateUrl.replaceAll(idPlaceholder, () => encodeURIComponent(token)) : templateUrl;
}
