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

export type * from "./types.ts";

export type Widget = {
  /** Sets new properties. Only a new token, environment or path loads a new frame. @throws TypeError as mountWidget does */
  update(properties: WidgetProperties): void;
  /** Removes the widget and its open modal. Can be called twice. */
  destroy(): void;
};

/** The minimum time between two pages that the widget opens on the frame's request. */
const OPEN_INTERVAL_MS = 1000;
/** The maximum number of RESIZE `identifier`s per animation frame; protects against a flood of messages. */
const MAX_RESIZES = 50;

/**
 * Mounts the service's page into `host` and handles its messages. The React component, the element and the script build on it.
 * @throws TypeError that says what to do, if a property is wrong; the widget is then not mounted
 */
export function mountWidget(host: HTMLElement, properties: WidgetProperties): Widget {
  let current = properties;
  let address = readAddress(properties);
  let shown: string | undefined;
  let frame: Frame | undefined;
  let payment: PaymentModal | undefined;
  let destroyed = false;
  let lastOpened = -OPEN_INTERVAL_MS;
  const resizes = new Map<unknown, ResizePayload>();

  /** Calls the partner's handler in a separate task: its exceptions are reported by the browser and don't interrupt the widget. */
  function emit(event: WidgetEvent): void {
    queueMicrotask(() => current.onEvent?.(event));
  }

  function receive(message: FrameMessage): void {
    if (message.type === "STRIPE_PAYMENT_INTENT") pay(message.payload);
    else if (message.type === "RESIZE") resize(message.payload);
    else if (message.type === "NAVIGATION_NO_BACK") emit(message);
    else if (performance.now() - lastOpened >= OPEN_INTERVAL_MS) {
      lastOpened = performance.now();
      if (!openUrl(message.payload)) emit({ type: "OPEN_URL_BLOCKED", payload: { url: message.payload.url } });
    }
  }

  /** Reports only the latest size of each animation frame. */
  function resize(payload: ResizePayload): void {
    if (!resizes.size) requestAnimationFrame(emitResizes);
    if (resizes.size < MAX_RESIZES || resizes.has(payload.identifier)) resizes.set(payload.identifier, payload);
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

  /** Loads the current address into a frame, unless a payment is in progress, which would lose its modal. */
  function showFrame(): void {
    if (destroyed || !current.token || shown === address.href || payment?.state === "processing") return;
    shown = address.href;
    payment?.close();
    frame?.close();
    // A new element instead of a new address adds nothing to the page's history.
    frame = openFrame({
      host,
      address,
      redirect: current.redirect,
      onMessage: receive,
      onSilence: () => emit({ type: "WIDGET_LOAD_TIMEOUT", payload: {} }),
    });
  }

  /** Deferred, so that mounting and unmounting in the same task (StrictMode) does not spend the single-use token. */
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
