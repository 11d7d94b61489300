import { unlessAborted } from "./deadline.ts";
import type { Environment } from "./environments.ts";
import { loadPaymentFile, type PaymentPart } from "./payment-file.ts";
import { releaseAddress } from "./version.ts";

let hasFailed = false;

/**
 * Loads the code that takes payments, which a page does not need at first. After an `import()` that failed or hung, the next attempt loads the
 * service's own file of this version: the browser would let another `import()` wait for the same request, and many keep a failure for ever. The
 * build of the script tag replaces this file by payment-part-by-tag.ts, because a classic script on another origin cannot import relative addresses.
 */
export async function loadPaymentPart({ baseUrl }: Environment, signal: AbortSignal): Promise<PaymentPart> {
  if (hasFailed) return loadPaymentFile(releaseAddress(baseUrl), signal);
  try {
    return await unlessAborted(signal, import("./take-payment.ts"));
  } catch (error) {
    hasFailed = (error as Error).name !== "AbortError"; // a newer request took this one's place
    throw error;
  }
}
