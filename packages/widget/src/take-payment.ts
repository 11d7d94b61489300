import type { CardForm, CardProblem } from "./card-provider.ts";
import { findEnvironment } from "./environments.ts";
import type { PaymentIntentPayload, PaymentProblem } from "./messages.ts";
import { openPaymentModal, type PaymentModal } from "./payment-modal.ts";
import { payLabel, penceFromPounds } from "./pounds.ts";
import { returnUrl } from "./return-url.ts";
import { loadStripeCardProvider } from "./stripe-card-provider.ts";
import type { WidgetProperties } from "./widget-properties.ts";

/** The page's open modal. All widgets on a page share one modal. */
let current: PaymentModal | undefined;
let currentSecret: string | undefined;

/**
 * Opens the payment modal for an intent (W7, W8). A new intent replaces an idle modal. Returns undefined and does nothing while a payment is
 * being processed, or if the modal already shows this intent.
 */
export function takePayment(options: {
  intent: PaymentIntentPayload;
  opener: HTMLElement;
  /** Read each time, because the partner can change properties while the modal is open. */
  properties: () => WidgetProperties;
  onProblem: (problem: PaymentProblem) => void;
  onPaid: () => void;
  onClose: () => void;
}): PaymentModal | undefined {
  const { intent } = options;
  if (current?.state === "processing" || currentSecret === intent.clientSecret) return undefined;
  current?.close();

  const pence = penceFromPounds(intent.paymentAmount);
  let form: CardForm | undefined;
  const modal = openPaymentModal({
    label: payLabel(pence),
    colour: intent.color,
    opener: options.opener,
    onPay: () => void pay(),
    onClose() {
      current = currentSecret = undefined;
      form?.destroy();
      options.onClose();
    },
  });
  current = modal;
  currentSecret = intent.clientSecret;

  async function start(): Promise<void> {
    try {
      const provider = await loadStripeCardProvider(findEnvironment(options.properties().environment));
      if (modal.state === "closed") return;
      form = provider.openForm({ intent, pence, fields: modal.fields, onEscape: modal.dismiss });
      await form.ready;
      modal.show("ready");
    } catch (error) {
      if (modal.state === "closed") return;
      modal.show("failed", "The payment could not start and nothing was charged. Press outside to close.");
      report("provider_not_loaded", error as CardProblem);
    }
  }

  async function pay(): Promise<void> {
    modal.show("processing"); // before the first await, so that a second press has no effect
    // After a return from the provider's page, the browser can restore this page from its cache: the response will never arrive.
    const returned = ({ persisted }: PageTransitionEvent) => persisted && modal.show("ready");
    addEventListener("pageshow", returned);
    const { redirect } = options.properties();
    const problem = await form!.confirm(returnUrl(redirect, intent.context.token, location.href));
    removeEventListener("pageshow", returned);
    if (modal.state === "closed") return;
    if (problem) {
      modal.show("ready", options.properties().showPaymentErrors ? problem.message : "");
      report("provider_error", problem);
    } else {
      modal.close();
      options.onPaid();
    }
  }

  function report(otherwise: string, { message, code = otherwise }: CardProblem): void {
    console.warn(message);
    options.onProblem({ message, code });
  }

  void start();
  return modal;
}
