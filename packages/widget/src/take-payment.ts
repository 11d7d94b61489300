import type { CardForm, CardProblem } from "./card-provider.ts";
import { DEADLINE_MS, unlessAborted } from "./deadline.ts";
import type { Environment } from "./environments.ts";
import { findObstacle } from "./find-obstacle.ts";
import { providerFrames } from "./isolate-modal.ts";
import type { LoadScript } from "./load-script.ts";
import type { LoadErrorReason, PaymentIntentPayload, PaymentProblem } from "./messages.ts";
import { pageWide } from "./page-wide.ts";
import { openPaymentModal, type PaymentModal } from "./payment-modal.ts";
import { payLabel, penceFromPounds } from "./pounds.ts";
import { returnUrl } from "./return-url.ts";
import { loadStripeCardProvider } from "./stripe-card-provider.ts";
import type { WidgetProperties } from "./widget-properties.ts";
import { wordsFor } from "./words.ts";

/** Problems that another attempt cannot mend. */
const FINAL = ["amount_not_confirmed", "not_payable"];

export type PaymentOptions = {
  intent: PaymentIntentPayload;
  opener: HTMLElement;
  /** Read each time, because the partner can change properties while the modal is open. */
  properties: () => WidgetProperties;
  environment: () => Environment;
  loadScript: LoadScript;
  /** The part of the deadline that has passed since the intent arrived. */
  waitedMs: number;
  onProblem: (problem: PaymentProblem) => void;
  /** The card form did not load, and `onProblem` has been called; or the page would cover it. */
  onLoadError: (reason: LoadErrorReason, message: string) => void;
  /** The modal has closed. The answer is whether the payment was taken, undefined where none was confirmed; a promise, where the provider has to be asked again. Never rejects. */
  onClose: (paid: boolean | Promise<boolean> | undefined) => void | Promise<void>;
};

/**
 * Opens the payment modal for an intent (W7, W8). A new intent replaces an idle modal, also that of another widget on the page. Returns undefined
 * and opens nothing while a payment is being processed, if the modal already shows this intent, for less than a penny, or where the page would cover
 * the modal, which is a LOAD_ERROR `set_up`.
 */
export function takePayment(options: PaymentOptions): PaymentModal | undefined {
  const { intent } = options;
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
    options.onLoadError("set_up", obstacle);
    // The frame's page sees the focus leave and come back, as after a form that opened and closed.
    options.opener.blur();
    options.opener.focus({ preventScroll: true });
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
    opener: options.opener,
    onPay: () => void pay(),
    onRetry: () => void start(DEADLINE_MS),
    onClose() {
      shared.open = undefined;
      attempt.abort();
      const paid = isPaid || (confirming?.then((problem) => !problem) ?? unanswered?.isPaid());
      removeForm();
      if (shownBefore) for (const frame of providerFrames()) if (!shownBefore.includes(frame)) frame.remove();
      void options.onClose(paid);
    },
  });
  shared.open = { modal, clientSecret: intent.clientSecret };

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
      attempt.abort(new Error("The card form did not load within 15 seconds"));
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
      if (!final) options.onLoadError(late ? "card_form_timeout" : "card_form", problem.message);
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

  function report(otherwise: string, { message, code = otherwise, decline_code: declineCode }: CardProblem): void {
    console.warn(message);
    options.onProblem({ message, code, ...(declineCode && { declineCode }) });
  }

  void start(DEADLINE_MS - options.waitedMs);
  return modal;
}
