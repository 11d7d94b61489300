import type { Environment } from "./environments.ts";
import { loadScript } from "./load-script.ts";
import type { PaymentPart } from "./payment-part.ts";
import { version } from "./version.ts";

/** Set by the build: the name and the hash of payment-script.ts, so that a page that pins the widget's hash pins this file too. */
declare const FARTHING_PAYMENT_FILE: string;
declare const FARTHING_PAYMENT_INTEGRITY: string;

const self = document.currentScript as HTMLScriptElement | null;
const page = globalThis as typeof globalThis & { [key: symbol]: PaymentPart };

/** Loads the file beside the widget's own; from the service, if the widget was not loaded by a script tag with an address. */
export async function loadPaymentPart({ baseUrl }: Environment, signal: AbortSignal): Promise<PaymentPart> {
  const base = self?.src || `${baseUrl}/widget/${version}/`;
  await loadScript(new URL(FARTHING_PAYMENT_FILE, base).href, signal, FARTHING_PAYMENT_INTEGRITY);
  return page[Symbol.for("farthing-widget-payment")]!;
}
