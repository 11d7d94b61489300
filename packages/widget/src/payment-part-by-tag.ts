import type { Environment } from "./environments.ts";
import { loadScript } from "./load-script.ts";
import type { PaymentPart } from "./payment-part.ts";
import { version } from "./version.ts";

/** Set by the build: the name and the hash of payment-script.ts, so that a page that pins the widget's hash pins this file too. */
declare const FARTHING_PAYMENT_FILE: string;
declare const FARTHING_PAYMENT_INTEGRITY: string;

const self = document.currentScript as HTMLScriptElement | null;
const page = globalThis as typeof globalThis & { [key: symbol]: PaymentPart };

/**
 * Loads the file beside a copy of the widget that the page serves itself; else the service's file of this version, which stays what it is when the
 * service moves on: the addresses without a version hold a newer one by then.
 */
export async function loadPaymentPart({ baseUrl }: Environment, signal: AbortSignal): Promise<PaymentPart> {
  const isCopy = self !== null && self.src !== "" && !self.src.startsWith(`${baseUrl}/`);
  const base = isCopy ? self.src : `${baseUrl}/widget/${version}/`;
  await loadScript(new URL(FARTHING_PAYMENT_FILE, base).href, signal, FARTHING_PAYMENT_INTEGRITY);
  return page[Symbol.for("farthing-widget-payment")]!;
}
