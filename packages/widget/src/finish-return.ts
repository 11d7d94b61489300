import { DEADLINE_MS, unlessAborted } from "./deadline.ts";
import type { PaymentContext } from "./messages.ts";
import type { Frame } from "./open-frame.ts";
import { pageWide, type Returned } from "./page-wide.ts";
import type { PORTAL_PATH } from "./portal-path.ts";
import { readReturn, withoutReturn } from "./return-url.ts";
import { loadStripeCardProvider } from "./stripe-card-provider.ts";
import { type Payer, toProblem } from "./payer.ts";
import type { WidgetProperties } from "./widget-properties.ts";
import { writePaymentComplete } from "./write-host-message.ts";

/** Whether a frame with this path shows a page of the gift-card portal. */
const isPortal = (path: WidgetProperties["path"]) =>
  `/${path?.split(/[/?#]/)[1]}` === ("/portal" satisfies typeof PORTAL_PATH);

/**
 * Settles a payment that left this page and has come back to it: removes the client secret from the address, asks the card provider what became
 * of the payment, and raises PAYMENT_COMPLETE or PAYMENT_ERROR, once. The first `frame` for payments hears of a payment that was taken, so that
 * it does not ask for another; the gift-card portal's does not, which takes no payment but its orders'. Does
 * nothing on any other page. Where the provider does not answer, the next call asks again. Never rejects.
 */
export async function finishReturn(payer: Payer, frame: Frame | undefined): Promise<void> {
  const shared = pageWide();
  shared.told = undefined;
  const found = readReturn(location.href);
  if (found) {
    shared.returned = found;
    history.replaceState(history.state, "", withoutReturn(location.href));
  }
  const { returned } = shared;
  if (!returned) return;
  const context: PaymentContext = { token: returned.token };
  returned.isPaid ??= ask(payer, returned, context);
  if (!(await returned.isPaid) || shared.returned !== returned || !frame?.element.isConnected) return;
  if (isPortal(payer.properties().path)) return;
  shared.returned = undefined;
  shared.told = frame;
  frame.send(writePaymentComplete(context));
}

/** Returns whether this frame has heard of a payment that was made before, since `finishReturn` was last called. */
export const hearsOfReturn = (frame: Frame): boolean => pageWide().told === frame;

async function ask(payer: Payer, returned: Returned, context: PaymentContext): Promise<boolean> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    const provider = await unlessAborted(signal, loadStripeCardProvider(payer.environment(), payer.loadScript, signal));
    const problem = await unlessAborted(signal, provider.findProblem(returned.clientSecret));
    if (!problem) {
      payer.emit({ type: "PAYMENT_COMPLETE", payload: { context } }, true);
      return true;
    }
    pageWide().returned = undefined;
    payer.emit({ type: "PAYMENT_ERROR", payload: toProblem("provider_error", problem) }, true);
  } catch (error) {
    returned.isPaid = undefined;
    const { message } = error as Error;
    payer.emit({ type: "PAYMENT_ERROR", payload: { message, code: "provider_not_loaded" } }, true);
  }
  return false;
}
