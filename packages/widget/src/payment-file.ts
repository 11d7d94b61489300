import { loadScript } from "./load-script.ts";
import type { finishReturn, takePayment } from "./take-payment.ts";

/** The code that takes payments. */
export type PaymentPart = { finishReturn: typeof finishReturn; takePayment: typeof takePayment };

/** Set by the build: the name and the hash of payment-script.ts, so that a page that pins the widget's hash pins this file too. */
declare const FARTHING_PAYMENT_FILE: string | undefined;
declare const FARTHING_PAYMENT_INTEGRITY: string | undefined;

const page = globalThis as typeof globalThis & { [key: symbol]: PaymentPart };

/** Loads the code that takes payments as a script beside the file at `address`, if it is the one of this build. */
export async function loadPaymentFile(address: string, signal: AbortSignal): Promise<PaymentPart> {
  const file = typeof FARTHING_PAYMENT_FILE === "string" ? FARTHING_PAYMENT_FILE : "";
  const integrity = typeof FARTHING_PAYMENT_INTEGRITY === "string" ? FARTHING_PAYMENT_INTEGRITY : "";
  await loadScript(new URL(file, address).href, signal, integrity);
  return page[Symbol.for("farthing-widget-payment")]!;
}
