import { findEnvironment } from "./environments.ts";
import { frameAddress } from "./frame-address.ts";
import { isHttpUrl } from "./http-url.ts";
import type { FrameMessage, PaymentIntentPayload, ResizePayload, WidgetEvent } from "./messages.ts";
import { type Frame, openFrame } from "./open-frame.ts";
import { openUrl } from "./open-url.ts";
import type { PaymentModal } from "./payment-modal.ts";
import { takePayment } from "./take-payment.ts";
import type { WidgetProperties } from "./widget-properties.ts";
import { writePaymentComplete } from "./write-host-message.ts";

export type Widget = {
  /** Takes new properties. Only another token, environment or path loads a new frame. Throws as mountWidget does. */
  update(properties: WidgetProperties): void;
  /** Removes everything, an open modal too. Safe to call twice. */
  destroy(): void;
};

/** The shortest time between two pages opened on the frame's request. */
const BETWEEN_PAGES = 1000;
/** Distinct `identifier`s of RESIZE kept for one animation frame: plenty for a page, a bound for a flood. */
const MOST_RESIZES = 50;

/**
 * Mounts the service's page into `host` and serves its messages: the core under the React component, the element and the script.
 * Throws a TypeError that says what to do when a property is wrong; nothing is mounted then.
 */
export function mountWidget(host: HTMLElement, properties: WidgetProperties): Widget {
  let current = properties;
  let address = readAddress(properties);
  let shown: string | undefined;
  let frame: Frame | undefined;
  let payment: PaymentModal | undefined;
  let destroyed = false;
  let lastOpened = -BETWEEN_PAGES;
  const resizes = new Map<unknown, ResizePayload>();

  /** In a task of its own: the partner's mistakes are reported by the browser, and stop nothing here. */
  function emit(event: WidgetEvent): void {
    queueMicrotask(() => current.onEvent?.(event));
  }

  function receive(message: FrameMessage): void {
    if (message.type === "STRIPE_PAYMENT_INTENT") pay(message.payload);
    else if (message.type === "RESIZE") resize(message.payload);
    else if (message.type === "NAVIGATION_NO_BACK") emit(message);
    else if (performance.now() - lastOpened >= BETWEEN_PAGES) {
      lastOpened = performance.now();
      if (!openUrl(message.payload)) emit({ type: "OPEN_URL_BLOCKED", payload: { url: message.payload.url } });
    }
  }

  /** The host hears of the latest size once per animation frame, however many come. */
  function resize(payload: ResizePayload): void {
    if (!resizes.size) requestAnimationFrame(emitResizes);
    if (resizes.size < MOST_RESIZES || resizes.has(payload.identifier)) resizes.set(payload.identifier, payload);
  }

  function emitResizes(): void {
    const latest = [...resizes.values()];
    resizes.clear();
    if (!destroyed) for (const payload of latest) emit({ type: "RESIZE", payload });
  }

  function pay(intent: PaymentIntentPayload): void {
    const asking = frame!;
    const started = takePayment({
      intent,
      opener: asking.element,
      properties: () => current,
      onProblem(problem) {
        emit({ type: "PAYMENT_ERROR", payload: problem });
        showFrame();
      },
      onPaid: () => asking.send(writePaymentComplete(intent.context)),
      onClose: showFrame,
    });
    payment = started ?? payment;
  }

  /** Brings the frame in line with the address; not during a payment, which would lose its modal. */
  function showFrame(): void {
    if (destroyed || !current.token || shown === address.href || payment?.state === "processing") return;
    shown = address.href;
    payment?.close();
    frame?.close();
    // A new element rather than a new address: nothing is added to the page's history.
    frame = openFrame({
      host,
      address,
      redirect: current.redirect,
      onMessage: receive,
      onSilence: () => emit({ type: "WIDGET_LOAD_TIMEOUT", payload: {} }),
    });
  }

  /** Not at once: what mounts and unmounts in the same breath (StrictMode) must not spend the single-use token. */
  function showFrameSoon(): void {
    queueMicrotask(showFrame);
  }

  showFrameSoon();

  return {
    update(next) {
      address = readAddress(next);
      current = next;
      frame?.setRedirect(next.redirect);
      showFrameSoon();
    },
    destroy() {
      destroyed = true;
      payment?.close();
      frame?.close();
    },
  };
}

function readAddress({ environment, path = "/", token, redirect }: WidgetProperties): URL {
  const { baseUrl } = findEnvironment(environment);
  if (redirect && !isHttpUrl(redirect.paymentSuccess.templateUrl)) {
    throw new TypeError("farthing-widget: templateUrl needs http(s)");
  }
  return frameAddress(baseUrl, path, token);
}
