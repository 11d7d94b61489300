import type { CardForm } from "./card-provider.ts";
import type { Environment } from "./environments.ts";
import type { PaymentIntentPayload, PaymentProblem } from "./messages.ts";
import { openPaymentModal, type PaymentModal } from "./payment-modal.ts";
import { payLabel, penceFromPounds } from "./pounds.ts";
import { loadStripeCardProvider } from "./stripe-card-provider.ts";

export type Payment = {
  readonly intent: PaymentIntentPayload;
  readonly processing: boolean;
  close(): void;
};

/** The page has one modal at a time, whichever widget opened it. */
let current: Payment | undefined;

/**
 * Opens the payment modal for an intent (seed section 4, W7, W8). A new intent replaces an idle modal; while a payment is being
 * processed, and for the intent already on show, nothing happens and the answer is undefined.
 */
export function takePayment(options: {
  intent: PaymentIntentPayload;
  environment: Environment;
  opener: HTMLElement;
  /** Read when the payer pays, because the partner may have changed the configuration meanwhile. */
  returnUrl: () => string;
  showErrors: () => boolean;
  onProblem: (problem: PaymentProblem) => void;
  onPaid: () => void;
  onClose: () => void;
}): Payment | undefined {
  const { intent } = options;
  if (current?.processing || current?.intent.clientSecret === intent.clientSecret) return undefined;
  current?.close();

  const pence = penceFromPounds(intent.paymentAmount);
  let form: CardForm | undefined;
  const modal: PaymentModal = openPaymentModal({
    label: payLabel(pence),
    colour: intent.color,
    opener: options.opener,
    onPay: () => void pay(),
    onClose() {
      if (current === payment) current = undefined;
      form?.destroy();
      options.onClose();
    },
  });
  const payment: Payment = {
    intent,
    get processing() {
      return modal.state === "processing";
    },
    close: modal.close,
  };
  current = payment;

  async function start(): Promise<void> {
    try {
      const provider = await loadStripeCardProvider(options.environment);
      if (modal.state === "closed") return;
      form = provider.openForm({ intent, pence, fields: modal.fields, onEscape: modal.dismiss });
      await form.ready;
      modal.show("ready");
    } catch (error) {
      if (modal.state === "closed") return;
      const { message, code = "provider_not_loaded" } = error as Partial<PaymentProblem>;
      report({ message: String(message), code });
      modal.show("failed", "The payment could not start and nothing has been charged. Press outside this box to close it, then try again.");
    }
  }

  async function pay(): Promise<void> {
    modal.show("processing"); // before the first await: a second press finds the door shut
    const problem = await form!.confirm(options.returnUrl());
    if (modal.state === "closed") return;
    if (problem) {
      modal.show("ready", options.showErrors() ? problem.message : "");
      report(problem);
    } else {
      modal.close();
      options.onPaid();
    }
  }

  function report(problem: PaymentProblem): void {
    console.warn(`farthing-widget: ${problem.message}`);
    options.onProblem(problem);
  }

  void start();
  return payment;
}
