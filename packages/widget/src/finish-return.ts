import { DEADLINE_MS, unlessAborted } from "./deadline.ts";
import type { PaymentContext } from "./messages.ts";
import type { Frame } from "./open-frame.ts";
import { readReturn, type Return, withoutReturn } from "./return-url.ts";
import { loadStripeCardProvider } from "./stripe-card-provider.ts";
import { type Payer, toProblem } from "./payer.ts";
import { writePaymentComplete } from "./write-host-message.ts";

/** The return that this page was loaded with, until it is settled. */
let returned: Return | undefined;
/** Whether the payment of the return was taken. Undefined: not asked, or not answered. */
let outcome: Promise<boolean> | undefined;
/** The frame that the last call has told of the return. */
let told: Frame | undefined;

/**
 * Settles a payment that left this page and has come back to it: removes the client secret from the address, asks the card provider what became
 * of the payment, and raises PAYMENT_COMPLETE or PAYMENT_ERROR, once. The first `frame` for payments hears of a payment that was taken, so that
 * it does not ask for another; the gift-card portal's does not, which takes no payment but its orders'. Does
 * nothing on any other page. Where the provider does not answer, the next call asks again. Never rejects.
 */
export async function finishReturn(payer: Payer, frame: Frame | undefined): Promise<void> {
  told = undefined;
  const found = readReturn(location.href);
  if (found) {
    returned = found;
    outcome = undefined;
    history.replaceState(history.state, "", withoutReturn(location.href));
  }
  if (!returned) return;
  const context: PaymentContext = { token: returned.token };
  outcome ??= ask(payer, returned.clientSecret, context);
  if (!(await outcome) || !returned || !frame?.element.isConnected) return;
  if (payer.properties().path?.startsWith("/portal")) return;
  returned = undefined;
  told = frame;
  frame.send(writePaymentComplete(context));
}

/** Returns whether this frame has heard of a payment that was made before, since `finishReturn` was last called. */
export const hearsOfReturn = (frame: Frame): boolean => told === frame;

async function ask(payer: Payer, clientSecret: string, context: PaymentContext): Promise<boolean> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    const provider = await unlessAborted(signal, loadStripeCardProvider(payer.environment(), payer.loadScript, signal));
    const problem = await unlessAborted(signal, provider.findProblem(clientSecret));
    if (!problem) {
      payer.emit({ type: "PAYMENT_COMPLETE", payload: { context } }, true);
      return true;
    }
    returned = undefined;
    payer.emit({ type: "PAYMENT_ERROR", payload: toProblem("provider_error", problem) }, true);
  } catch (error) {
    outcome = undefined;
    const { message } = error as Error;
    payer.emit({ type: "PAYMENT_ERROR", payload: { message, code: "provider_not_loaded" } }, true);
  }
  return false;
}
