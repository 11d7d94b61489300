import type { Environment } from "./environments.ts";
import { loadPaymentFile, type PaymentPart } from "./payment-file.ts";
import { releaseAddress } from "./version.ts";

const self = document.currentScript as HTMLScriptElement | null;

/**
 * Loads the file beside a copy of the widget that the page serves itself; else the service's file of this version, which stays what it is when the
 * service moves on: the addresses without a version hold a newer one by then.
 */
export function loadPaymentPart({ baseUrl }: Environment, signal: AbortSignal): Promise<PaymentPart> {
  const isCopy = self !== null && self.src !== "" && !self.src.startsWith(`${baseUrl}/`);
  return loadPaymentFile(isCopy ? self.src : releaseAddress(baseUrl), signal);
}
