import type {
  FrameMessage,
  NavigationNoBackPayload,
  PaymentContext,
  PaymentIntentPayload,
  RedirectConfiguration,
  ResizePayload,
} from "./messages.ts";
import { readHostMessage } from "./read-host-message.ts";

export type { PaymentContext, PaymentIntentPayload, RedirectConfiguration } from "./messages.ts";

/** Why a page is not what was asked for: the HTTP status, and the reason that the host's LOAD_ERROR gives. */
export type FrameProblem = { status: number; reason: string };

export type HostConnection = {
  /** Asks the host page to open the payment modal. The focused element gets the focus back afterwards. */
  requestPayment(payment: PaymentIntentPayload): void;
  /** Asks the host page to open an absolute http(s) URL, in a new tab or in its own window. */
  openUrl(url: string, newTab?: boolean): void;
  /** Like `openUrl`, for a payment that continues on another site. */
  redirectPayment(url: string, newTab?: boolean): void;
  navigationNoBack(url: string): void;
  /** Tells the host that the page, which was there, is of no more use, such as when its session has ended. */
  fail(problem: FrameProblem): void;
  close(): void;
};

/** The browser tells the page around the frame that this one has loaded a moment after it tells this one. */
const AFTER_LOAD_MS = 1000;

/**
 * Connects the page in the iframe to its host page. Call it once, when the page starts: it reports the page's size to the host at once and
 * after each change.
 *
 * `hostOrigins` are the origins that the token's partner may embed from; the server knows them. Only messages from the parent window and these
 * origins are read. Nothing is posted to "*": messages are queued until the host's origin is known.
 */
export function connectHost(options: {
  hostOrigins: readonly string[];
  /** Distinguishes the RESIZE messages of several pages. Default: null. */
  identifier?: string | null;
  /** How long a size must stay the same before it is reported. The first size is reported at once. */
  resizeDelayMs?: number;
  /** Why the page is not what was asked for: its sizes then go out under the identifier "load-error", with these fields. */
  problem?: FrameProblem;
  onRedirectConfig?: (configuration: RedirectConfiguration) => void;
  onPaymentComplete?: (context: PaymentContext) => void;
}): HostConnection {
  const { hostOrigins, identifier = null, resizeDelayMs = 0 } = options;
  let { problem } = options;
  let hostOrigin =
    hostOrigins.length === 1
      ? hostOrigins[0]
      : [location.ancestorOrigins?.[0], originOf(document.referrer)].find(isHost);
  let waiting: string[] = [];
  let trigger: Element | null = null;
  let lastSize = "";
  let sizeTimer: ReturnType<typeof setTimeout> | undefined;
  let loadTimer: ReturnType<typeof setTimeout> | undefined;

  function isHost(origin: string | undefined): boolean {
    return origin !== undefined && hostOrigins.includes(origin);
  }

  function post(message: FrameMessage): void {
    waiting.push(JSON.stringify(message));
    flush();
  }

  function flush(): void {
    if (!hostOrigin || parent === window) return;
    for (const message of waiting) parent.postMessage(message, hostOrigin);
    waiting = [];
  }

  function onMessage(event: MessageEvent): void {
    if (event.source !== parent || parent === window || !isHost(event.origin)) return;
    const message = readHostMessage(event.data);
    if (!message) return;
    hostOrigin = event.origin;
    flush();
    if (message.type === "REDIRECT_CONFIG") options.onRedirectConfig?.(message.payload as RedirectConfiguration);
    else options.onPaymentComplete?.((message.payload as { context: PaymentContext }).context);
  }

  function postSize(): void {
    const { height, width } = document.documentElement.getBoundingClientRect();
    const payload: ResizePayload = {
      identifier: problem ? "load-error" : identifier,
      height: Math.ceil(height),
      width: Math.ceil(width),
      ...problem,
    };
    const size = `${payload.height} ${payload.width}`;
    if (size !== lastSize) post({ type: "RESIZE", payload });
    lastSize = size;
  }

  /** Restores the focus when it returns from the host page; the browser does not remember the focused element. */
  function onFocus(): void {
    if (document.activeElement === document.body) (trigger as HTMLElement | null)?.focus();
    trigger = null;
  }

  /**
   * Reports the size again once the widget knows that the page has loaded. It can't tell what this page said before that from what the page before it
   * said, and after fifteen seconds sends nothing more to a page that may be another site's.
   */
  function onLoad(): void {
    loadTimer = setTimeout(() => {
      lastSize = "";
      postSize();
    }, AFTER_LOAD_MS);
  }

  const sizes = new ResizeObserver(() => {
    clearTimeout(sizeTimer);
    if (!lastSize || resizeDelayMs === 0) postSize();
    else sizeTimer = setTimeout(postSize, resizeDelayMs);
  });
  postSize(); // an observer says nothing while the frame is not shown
  sizes.observe(document.documentElement);
  window.addEventListener("message", onMessage);
  window.addEventListener("focus", onFocus);
  window.addEventListener("load", onLoad);

  return {
    requestPayment(payload) {
      trigger = document.activeElement;
      post({ type: "STRIPE_PAYMENT_INTENT", payload });
    },
    openUrl: (url, newTab) => post({ type: "OPEN_URL", payload: { url, newTab: newTab ?? null } }),
    redirectPayment: (url, newTab) => post({ type: "REDIRECT_PAYMENT", payload: { url, newTab: newTab ?? null } }),
    navigationNoBack: (url) => post({ type: "NAVIGATION_NO_BACK", payload: { url } satisfies NavigationNoBackPayload }),
    fail(given) {
      problem = given;
      lastSize = "";
      postSize();
    },
    close() {
      sizes.disconnect();
      clearTimeout(sizeTimer);
      clearTimeout(loadTimer);
      window.removeEventListener("message", onMessage);
      window.removeEventListener("focus", onFocus);
      window.removeEventListener("load", onLoad);
    },
  };
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
