import { DEADLINE_MS, unlessAborted } from "./deadline.ts";
import { findEnvironment } from "./environments.ts";
import { checkSetUp, tellMistake } from "./set-up.ts";
import { keepBlock, type LayoutFrame, layOutFrame, whenNearView } from "./layout.ts";
import { loadScript } from "./load-script.ts";
import type { FrameMessage, LoadErrorReason, PaymentIntentPayload, WidgetEvent } from "./messages.ts";
import { type Frame, openFrame } from "./open-frame.ts";
import { openUrl } from "./open-url.ts";
import type { Payer } from "./payer.ts";
import type { PaymentPart } from "./payment-file.ts";
import { loadPaymentPart } from "./payment-part.ts";
import type { PaymentModal } from "./payment-modal.ts";
import type { MARK } from "./return-url.ts";
import type { WidgetProperties } from "./widget-properties.ts";

export type * from "./types.ts";

export type Widget = {
  /** Sets new properties. Only a new token loads a new frame, and an empty one removes it. Does nothing once destroyed. @throws TypeError as mountWidget does */
  update(properties: WidgetProperties): void;
  /** Removes the widget and its open modal. Can be called twice. */
  destroy(): void;
};

/** The minimum time between two pages that the widget opens on the frame's request. */
const OPEN_INTERVAL_MS = 1000;
/** The maximum number of different events of the frame per animation frame; protects against a flood of messages. */
const MAX_WAITING = 50;
const READY = "READY";

/** The code that takes payments, once it has loaded. A load that failed or hung is forgotten. */
let part: PaymentPart | undefined;

const hasReturned = () => location.search.includes("farthing_payment=" satisfies `${typeof MARK}=`);

/**
 * Mounts the service's page into `host` and handles its messages. The React component, the element and the script build on it.
 * @throws TypeError that says what to do, if a property is wrong; the widget is then not mounted
 */
export function mountWidget(host: HTMLElement, properties: WidgetProperties): Widget {
  let current = properties;
  let address = checkSetUp(host, properties);
  let shown: string | undefined;
  /** The token that the frame was opened with. */
  let spent: string | undefined;
  let frame: Frame | undefined;
  let layout: LayoutFrame | undefined;
  let payment: PaymentModal | undefined;
  /** How many payments are open, or closed without the provider's last word. Meanwhile the frame stays. */
  let paying = 0;
  let asking: AbortController | undefined;
  let destroyed = false;
  /** What the host was last told of the frame: that it is ready, or why it is not. Undefined: nothing yet. */
  let told: LoadErrorReason | undefined;
  let lastOpened = -OPEN_INTERVAL_MS;
  const payer: Payer = {
    properties: () => current,
    environment: () => findEnvironment(current.environment),
    loadScript,
    emit,
  };
  const waiting = new Map<unknown, WidgetEvent>();
  let isNear = properties.loading !== "lazy";
  const stopWatching = isNear
    ? undefined
    : whenNearView(host, () => {
        isNear = true;
        if (!current.token) emit({ type: "TOKEN_NEEDED", payload: {} });
        showFrame();
      });

  /**
   * Calls the partner's handler in a microtask of its own: the browser reports its exceptions, and they don't interrupt the widget. Once the widget
   * is destroyed, it hears only what is `late`.
   */
  function emit(event: WidgetEvent, late?: boolean): void {
    queueMicrotask(() => (late || !destroyed) && current.onEvent?.(event));
  }

  function emitLoadError(reason: LoadErrorReason, message: string): void {
    emit({ type: "LOAD_ERROR", payload: { reason, message } });
  }

  /** Tells the host that the frame's page is ready, or which problem it has: each change once, also while a person walks in the frame. */
  function tell(state: LoadErrorReason, message = `The frame's page reports: ${state}`): void {
    if (told === state) return;
    told = state;
    layout?.ready();
    if (state !== READY) emitLoadError(state, message);
    else {
      emit({ type: READY, payload: {} });
      settleReturn(frame);
    }
  }

  function receive(message: FrameMessage): void {
    // An error page of the service is still one of the four shapes: a RESIZE with this identifier and its reason.
    const { identifier, reason } = message.payload as { identifier?: unknown; reason?: unknown };
    // Its other messages say nothing of a problem: a link that it opens outside does not end it.
    if (!told || message.type === "RESIZE")
      tell(identifier === "load-error" && typeof reason === "string" ? reason.slice(0, 50) : READY);
    if (message.type === "STRIPE_PAYMENT_INTENT") void pay(message.payload);
    else if (message.type === "RESIZE") emitSoon(`r${message.payload.identifier}`, message);
    else if (message.type === "NAVIGATION_NO_BACK") emitSoon(0, message);
    else if (performance.now() - lastOpened >= OPEN_INTERVAL_MS) {
      lastOpened = performance.now();
      if (!openUrl(message.payload)) emit({ type: "OPEN_URL_BLOCKED", payload: { url: message.payload.url } });
    }
  }

  /** Reports only the latest event with this key of each animation frame. */
  function emitSoon(key: unknown, event: WidgetEvent): void {
    if (!waiting.size) requestAnimationFrame(emitWaiting);
    // A frame can invent identifiers of RESIZE without end; the other events have one key each.
    if (event.type !== "RESIZE" || waiting.size < MAX_WAITING || waiting.has(key)) waiting.set(key, event);
  }

  function emitWaiting(): void {
    for (const [, event] of waiting) {
      if (event.type === "RESIZE") layout?.resize(event.payload.height);
      emit(event);
    }
    waiting.clear();
  }

  /** Loads the code for payments, which first settles a payment that left this page and has come back to it. */
  async function prepare(signal: AbortSignal, ready?: Frame): Promise<void> {
    part ??= await loadPaymentPart(findEnvironment(current.environment), signal);
    await part.finishReturn(payer, ready);
  }

  /** Prepares payments. A load that fails is tried again at READY and for the next payment; the host hears of it if a payer has come back. */
  function settleReturn(ready?: Frame): void {
    prepare(new AbortController().signal, ready).catch((error: Error) => hasReturned() && tellNotLoaded(error));
  }

  function tellNotLoaded({ message }: Error): string {
    console.warn(message);
    emit({ type: "PAYMENT_ERROR", payload: { message, code: "provider_not_loaded" } });
    return message;
  }

  async function pay(intent: PaymentIntentPayload): Promise<void> {
    const opener = frame!;
    const since = performance.now();
    const attempt = new AbortController();
    const timer = setTimeout(() => attempt.abort(new Error("The payment did not load in 15 seconds")), DEADLINE_MS);
    asking?.abort();
    asking = attempt;
    try {
      await unlessAborted(attempt.signal, prepare(attempt.signal, opener));
    } catch (error) {
      if (destroyed || asking !== attempt) return;
      emitLoadError(attempt.signal.aborted ? "card_form_timeout" : "card_form", tellNotLoaded(error as Error));
      return;
    } finally {
      clearTimeout(timer);
    }
    if (destroyed || asking !== attempt || frame !== opener) return;
    const started = part!.takePayment({
      ...payer,
      intent,
      opener,
      waitedMs: performance.now() - since,
      onClose(isPaid) {
        if (isPaid) shown = address.href; // the frame stays with its result
        paying--;
        showFrame();
      },
    });
    if (!started) return;
    payment = started;
    paying++;
  }

  /** Loads the current address into a frame, or removes the frame if there is no token. Waits while a payment is open: its frame gets the result. */
  function showFrame(): void {
    if (destroyed || !isNear || shown === address.href || paying) return;
    shown = address.href;
    told = undefined;
    frame?.close();
    frame = undefined;
    if (!current.token) return;
    spent = current.token;
    keepBlock(host);
    // A new element instead of a new address adds nothing to the page's history.
    frame = openFrame({
      host,
      address,
      redirect: current.redirect,
      onMessage: receive,
      onSilence(reason) {
        if (!told) tell(reason, "The frame has sent no message: it is blocked or offline");
        if (reason === "frame_timeout") emit({ type: "WIDGET_LOAD_TIMEOUT", payload: {} });
      },
    });
    layout = layOutFrame(frame.element, current);
    setTitle();
  }

  /** Sets the frame's name for assistive technology. */
  function setTitle(): void {
    if (frame) frame.element.title = current.frameTitle || "Farthing";
  }

  // Deferred, so that mounting and unmounting in the same task (StrictMode) does not spend the single-use token.
  queueMicrotask(showFrame);
  // A payer who has come back: also where the page has no token, as for a payment that is paid.
  if (hasReturned()) settleReturn();

  return {
    update(next) {
      if (destroyed) return;
      address = checkSetUp(host, next);
      current = next;
      frame?.setRedirect(next.redirect);
      setTitle();
      // A frame that shows a page stays. One that could not, such as for a wrong path, has not spent its token.
      if (frame && next.token === spent && shown !== address.href && (told ?? READY) === READY) {
        shown = address.href;
        if (frame.element.src !== shown)
          tellMistake(host, "farthing-widget: a new path needs a new token", next.onEvent);
      }
      queueMicrotask(showFrame);
    },
    destroy() {
      if (destroyed) return;
      destroyed = true;
      stopWatching?.();
      asking?.abort();
      payment?.close();
      frame?.close();
    },
  };
}
