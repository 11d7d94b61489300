import type { Environment } from "./environments.ts";
import { loadPaymentFile, type PaymentPart } from "./payment-file.ts";
import { releaseAddress } from "./version.ts";

const self = globalThis.document?.currentScript as HTMLScriptElement | null | undefined;

/**
 * Loads the file beside the widget, where the page serves a copy of its own. Otherwise it loads the service's file of this version, whose
 * versioned address never changes: an address without a version may hold a newer file.
 */
export function loadPaymentPart({ baseUrl }: Environment, signal: AbortSignal): Promise<PaymentPart> {
  const isCopy = self?.src && !self.src.startsWith(`${baseUrl}/`);
  return loadPaymentFile(isCopy ? self.src : releaseAddress(baseUrl), signal);
}
