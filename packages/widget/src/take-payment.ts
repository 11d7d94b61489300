import type { CardForm, CardProblem } from "./card-provider.ts";
import { DEADLINE_MS, unlessAborted } from "./deadline.ts";
import { findObstacle } from "./find-obstacle.ts";
import { providerFrames } from "./isolate-modal.ts";
import type { LoadErrorReason, PaymentIntentPayload } from "./messages.ts";
import type { Frame } from "./open-frame.ts";
import { pageWide } from "./page-wide.ts";
import { type Payer, toProblem } from "./payer.ts";
import { openPaymentModal, type PaymentModal } from "./payment-modal.ts";
import { payLabel, penceFromPounds } from "./pounds.ts";
import { finishReturn, hearsOfReturn } from "./finish-return.ts";
import { returnUrl } from "./return-url.ts";
import { loadStripeCardProvider } from "./stripe-card-provider.ts";
import { wordsFor } from "./words.ts";
import { writePaymentComplete } from "./write-host-message.ts";

// For payment-part.ts and payment-script.ts, which alone import this module as a whole: it is the payment's code that loads later.
export { finishReturn };

/** Problems that another attempt cannot mend. */
const FINAL = ["amount_not_confirmed", "not_payable"];

export type PaymentOptions = Payer & {
  intent: PaymentIntentPayload;
  /** The frame that requested the payment. */
  opener: Frame;
  /** The part of the deadline that has passed since the intent arrived. */
  waitedMs: number;
  /** The modal has closed, and what became of the payment is known and reported. */
  onClose: (isPaid: boolean) => void;
};

/**
 * Opens the payment modal for an intent (W7, W8). A new intent replaces an idle modal, also that of another widget on the page. Returns undefined
 * and opens nothing while a payment is being processed, if the modal already shows this intent, if the frame has only now heard of a payment that was
 * made before, for less than a penny, or where the page would cover the modal, which is a LOAD_ERROR `set_up`.
 */
export function takePayment(options: PaymentOptions): PaymentModal | undefined {
  const { intent } = options;
  if (hearsOfReturn(options.opener)) return undefined;
  const shared = pageWide();
  if (shared.open?.modal.state === "processing" || shared.open?.clientSecret === intent.clientSecret) return undefined;
  const pence = penceFromPounds(intent.paymentAmount);
  if (pence < 1) {
    report("amount_not_confirmed", { message: "The amount is below a penny" });
    return undefined;
  }
  shared.open?.modal.close();
  const obstacle = findObstacle();
  if (obstacle) {
    console.error(obstacle);
    reportLoad("set_up", obstacle);
    // The frame's page sees the focus leave and come back, as after a form that opened and closed.
    options.opener.element.blur();
    options.opener.element.focus({ preventScroll: true });
    return undefined;
  }

  const words = wordsFor(options.properties().locale);
  let form: CardForm | undefined;
  let attempt = new AbortController();
  let isPaid = false;
  /** The form that sent a confirmation, while the provider has not said what became of it. */
  let unanswered: CardForm | undefined;
  /** The confirmation in progress. */
  let confirming: Promise<CardProblem | undefined> | undefined;
  /** While a payment is processed: what the provider had shown before, which is not the payment's challenge. */
  let shownBefore: Element[] | undefined;
  const modal = openPaymentModal({
    words,
    label: payLabel(pence, words),
    colour: intent.color,
    opener: options.opener.element,
    onPay: () => void pay(),
    onRetry: () => void start(DEADLINE_MS),
    onClose() {
      shared.open = undefined;
      attempt.abort();
      const paid = isPaid || (confirming?.then((problem) => !problem) ?? unanswered?.isPaid());
      removeForm();
      if (shownBefore) for (const frame of providerFrames()) if (!shownBefore.includes(frame)) frame.remove();
      void settle(paid);
    },
  });
  shared.open = { modal, clientSecret: intent.clientSecret };
  options.emit({ type: "MODAL_OPENED", payload: {} });

  /** Reports that the modal has closed and, once the provider has said it, that the payment was taken: also for a page that removes the widget. */
  async function settle(answer: boolean | Promise<boolean> | undefined): Promise<void> {
    options.emit({ type: "MODAL_CLOSED", payload: {} }, true);
    const paid = !!(await answer);
    if (paid) {
      options.opener.send(writePaymentComplete(intent.context));
      options.emit({ type: "PAYMENT_COMPLETE", payload: { context: intent.context } }, true);
    }
    options.onClose(paid);
  }

  function removeForm(): void {
    form?.destroy();
    form = undefined;
  }

  /** Loads the provider's script, its form and its amount within `ms`. What hangs is forgotten, so that the next attempt starts anew. */
  async function start(ms: number): Promise<void> {
    modal.show("loading");
    attempt = new AbortController();
    const { signal } = attempt;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      attempt.abort(new Error("The card form did not load in 15 seconds"));
    }, ms);
    try {
      const { environment, loadScript } = options;
      const provider = await unlessAborted(signal, loadStripeCardProvider(environment(), loadScript, signal));
      const { locale, appearance } = options.properties();
      const { fields, dismiss } = modal;
      form = provider.openForm({ intent, pence, fields, locale, appearance, onEscape: dismiss });
      const paid = await unlessAborted(signal, form.ready);
      if (paid) finish();
      else modal.show("ready");
    } catch (error) {
      if (modal.state === "closed") return;
      removeForm();
      const problem = error as CardProblem;
      const final = FINAL.includes(problem.code!);
      modal.show(final ? "failed" : "retry", words.notLoaded);
      report("provider_not_loaded", problem);
      if (!final) reportLoad(late ? "card_form_timeout" : "card_form", problem.message);
    } finally {
      clearTimeout(timer);
    }
  }

  async function pay(): Promise<void> {
    modal.show("processing"); // before the first await, so that a second press has no effect
    unanswered = form;
    shownBefore = providerFrames();
    // After a return from the provider's page, the browser can restore this page from its cache: the response will never arrive.
    const returned = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      confirming = undefined; // its answer never comes
      modal.show("ready");
    };
    addEventListener("pageshow", returned);
    const { redirect } = options.properties();
    confirming = form!.confirm(returnUrl(redirect, intent.context.token, location.href));
    const problem = await confirming;
    confirming = undefined;
    removeEventListener("pageshow", returned);
    shownBefore = undefined;
    if (modal.state === "closed") return;
    if (problem) {
      if (problem.code) unanswered = undefined;
      modal.show("ready", options.properties().showPaymentErrors ? problem.message : "");
      report("provider_error", problem);
    } else finish();
  }

  function finish(): void {
    isPaid = true;
    modal.close();
  }

  function report(otherwise: string, problem: CardProblem): void {
    options.emit({ type: "PAYMENT_ERROR", payload: toProblem(otherwise, problem) });
  }

  function reportLoad(reason: LoadErrorReason, message: string): void {
    options.emit({ type: "LOAD_ERROR", payload: { reason, message } });
  }

  void start(DEADLINE_MS - options.waitedMs);
  return modal;
}
