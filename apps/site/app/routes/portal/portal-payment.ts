import type { HostConnection } from "@farthing/widget/frame";
import type { PaymentAnswer } from "./order-payment.ts";
import type { OrderWatch } from "./watch-order.ts";

/** The card form opens at the earliest this long after the press: the second of a double click would close it. */
const DOUBLE_CLICK_MS = 500;

/**
 * Pays an order with the page around the frame (G3): our server creates the payment, the host opens the card form, and
 * our server confirms what came of it. Returns what to call with the token of STRIPE_PAYMENT_COMPLETE.
 */
export function startPayment(
  form: HTMLFormElement,
  { host, watch }: { host: HostConnection; watch: OrderWatch },
): (token: string) => void {
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]");
  const status = form.querySelector<HTMLElement>(".portal-pay-status");
  let isBusy = false;
  let asked: string | null = null;

  function say(text: string, tone: "info" | "good" | "warn" | "bad"): void {
    if (!status) return;
    const line = document.createElement("p");
    line.className = `notice is-${tone}`;
    line.textContent = text;
    status.replaceChildren(line);
  }

  function setBusy(busy: boolean): void {
    isBusy = busy;
    if (busy) button?.setAttribute("aria-disabled", "true");
    else button?.removeAttribute("aria-disabled");
  }

  async function pay(): Promise<void> {
    if (isBusy || !button) return;
    if (window.parent === window) return say("This page works inside another page only. Nothing was taken.", "bad");
    setBusy(true);
    say("Preparing the payment", "info");
    const doubleClickIsOver = new Promise((resolve) => setTimeout(resolve, DOUBLE_CLICK_MS));
    const answer = await ask(form.dataset["pays"] ?? "");
    await doubleClickIsOver;
    setBusy(false);
    if ("problem" in answer) return say(answer.problem, "bad");
    asked = answer.payment.context.token;
    say(
      "Enter your card in the window that opened. Nothing is taken until you press Pay there. If you closed it, press Pay here again.",
      "info",
    );
    // Safari does not focus a pressed button, and focus later returns to the element that had it.
    if (document.activeElement === document.body) button.focus();
    host.requestPayment({ ...answer.payment, color: getComputedStyle(button).backgroundColor });
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void pay();
  });
  // Before the script runs, the button would send the form nowhere.
  if (button) button.disabled = false;

  return (token) => {
    if (token !== asked) return;
    setBusy(true);
    say("Waiting for the payment to be confirmed. Please keep this page open.", "info");
    watch.closely(() =>
      say("The payment is not confirmed yet. Please don’t pay again: this page goes on looking by itself.", "warn"),
    );
  };
}

async function ask(address: string): Promise<PaymentAnswer> {
  try {
    const answer = await fetch(address, {
      method: "POST",
      body: new URLSearchParams({ pay: "yes" }),
      cache: "no-store",
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
    return "Nothing was taken. This visit has ended: reload the page around this one, and start again.";
  return "Nothing was taken, because our server did not answer. Wait a moment, then press Pay again.";
}
