import type { HostConnection, RedirectConfiguration } from "@farthing/widget/frame";
import { whenCardFormCloses } from "../payments/card-form-focus.ts";
import type { PaymentAnswer } from "./order-payment.ts";
import type { OrderWatch } from "./watch-order.ts";

/** The card form opens at the earliest this long after the press: the second of a double click would close it. */
const DOUBLE_CLICK_MS = 500;

/** How long our server's answer is waited for: on a dead line a browser waits for minutes. Our server asks the card provider. */
const ANSWER_MS = 60_000;

export interface OrderPayment {
  /** Call it with the token of STRIPE_PAYMENT_COMPLETE. */
  paid(token: string): void;
  /** Call it with REDIRECT_CONFIG: a bank needs a page to bring the payer back to, so only now it is offered. */
  returnTo(redirect: RedirectConfiguration): void;
}

/**
 * Pays an order with the page around the frame (G3): our server creates the payment, the host opens the card form or the
 * page of the bank (REDIRECT_PAYMENT), and our server confirms what came of it.
 */
export function startPayment(
  form: HTMLFormElement,
  { host, watch }: { host: HostConnection; watch: OrderWatch },
): OrderPayment {
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]");
  const bank = form.querySelector<HTMLElement>(".portal-bank");
  const status = form.querySelector<HTMLElement>(".portal-pay-status");
  let isBusy = false;
  let asked: string | null = null;
  let open = new AbortController();
  let returnUrl: string | null = null;

  function say(text: string, tone: "info" | "good" | "warn" | "bad"): void {
    if (!status) return;
    const line = document.createElement("p");
    line.className = `notice is-${tone}`;
    line.textContent = text;
    status.replaceChildren(line);
  }

  function sayOfForm(isClosed: boolean): void {
    say(
      isClosed
        ? "The card form is closed, and no payment has arrived yet. To try again, or with another card, press Pay here again: this order can’t be charged twice."
        : "Enter your card in the window that opened. No payment has arrived yet. If you closed the window, press Pay here again: this order can’t be charged twice.",
      "info",
    );
  }

  function setBusy(busy: boolean): void {
    isBusy = busy;
    for (const one of form.querySelectorAll("button"))
      if (busy) one.setAttribute("aria-disabled", "true");
      else one.removeAttribute("aria-disabled");
  }

  async function pay(): Promise<void> {
    if (isBusy || !button) return;
    if (window.parent === window) return say("This page works inside another page only: pay there.", "bad");
    const color = restingColour(button);
    setBusy(true);
    say("Preparing the payment", "info");
    const doubleClickIsOver = new Promise((resolve) => setTimeout(resolve, DOUBLE_CLICK_MS));
    const answer = await ask(form.dataset["pays"] ?? "", { pay: "yes" });
    await doubleClickIsOver;
    setBusy(false);
    if (!("payment" in answer)) return say("problem" in answer ? answer.problem : unanswered(0), "bad");
    asked = answer.payment.context.token;
    sayOfForm(false);
    // Safari does not focus a pressed button, and focus later returns to the element that had it.
    if (document.activeElement === document.body) button.focus();
    open.abort();
    open = new AbortController();
    whenCardFormCloses(sayOfForm, open.signal);
    host.requestPayment({ ...answer.payment, color });
  }

  async function payAtBank(): Promise<void> {
    if (isBusy || returnUrl === null) return;
    open.abort();
    setBusy(true);
    say("Preparing the payment", "info");
    const answer = await ask(form.dataset["pays"] ?? "", { return: returnUrl });
    setBusy(false);
    if (!("bankUrl" in answer)) return say("problem" in answer ? answer.problem : unanswered(0), "bad");
    say(
      "You go on at your bank, which brings you back to this order. Nothing is taken before you agree there.",
      "info",
    );
    host.redirectPayment(answer.bankUrl);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void (bank?.contains(event.submitter) ? payAtBank() : pay());
  });
  // Before the script runs, the button would send the form nowhere.
  if (button) button.disabled = false;

  return {
    paid(token) {
      if (token !== asked) return;
      open.abort();
      setBusy(true);
      say("Waiting for the payment to be confirmed. Please keep this page open.", "info");
      watch.closely(() =>
        say("The payment is not confirmed yet. Please don’t pay again: this page goes on looking by itself.", "warn"),
      );
    },
    returnTo({ paymentSuccess: { templateUrl, idPlaceholder } }) {
      const order = form.dataset["orderId"] ?? "";
      // As the card form does it, so that both ways come back to one address.
      returnUrl = idPlaceholder ? templateUrl.replaceAll(idPlaceholder, () => encodeURIComponent(order)) : templateUrl;
      if (bank) bank.hidden = false;
    },
  };
}

async function ask(address: string, fields: Record<string, string>): Promise<PaymentAnswer> {
  try {
    const answer = await fetch(address, {
      method: "POST",
      body: new URLSearchParams(fields),
      cache: "no-store",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (answer.headers.get("content-type")?.startsWith("application/json"))
      return (await answer.json()) as PaymentAnswer;
    return { problem: unanswered(answer.status) };
  } catch {
    return { problem: unanswered(0) };
  }
}

function unanswered(status: number): string {
  if (status === 401 || status === 403)
    return "This visit has ended. Reload the page around this one. If you have not paid, start again.";
  return "Our server did not answer. Wait a moment, then press Pay again: this order can’t be charged twice.";
}

/** Returns the background of a button that is neither pointed at nor pressed, nor fading from one to the other. */
function restingColour(button: HTMLButtonElement): string {
  const still = button.cloneNode() as HTMLButtonElement;
  still.removeAttribute("id");
  still.style.cssText = "position:absolute;visibility:hidden;transition:none";
  button.after(still);
  const { backgroundColor } = getComputedStyle(still);
  still.remove();
  return backgroundColor;
}
