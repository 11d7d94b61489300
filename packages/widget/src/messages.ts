/**
 * The messages between the windows, exactly as specified (W3, Z7). Every message is a JSON string. The widget's own messages have
 * `origin: "react"`, which is a label, not a security check.
 */

/** The address that the card provider returns payers to: `idPlaceholder` in `templateUrl` is replaced by the payment's context token. */
export type RedirectConfiguration = { paymentSuccess: { templateUrl: string; idPlaceholder: string } };

/** The service's own reference for a payment. STRIPE_PAYMENT_COMPLETE returns it unchanged. */
export type PaymentContext = { token: string; [field: string]: unknown };

export type PaymentIntentPayload = {
  clientSecret: string;
  ephemeralKey: string;
  customerId: string;
  /** In pounds, not pence. No other field of the protocol is in pounds. */
  paymentAmount: number;
  color?: string;
  context: PaymentContext;
};
export type OpenUrlPayload = { url: string; newTab?: boolean | null };
export type ResizePayload = { identifier?: string | null; height: number; width: number; [field: string]: unknown };
export type NavigationNoBackPayload = { url: string };

/** Messages from the iframe to the host page: five types, four shapes. */
export type FrameMessage =
  | { type: "STRIPE_PAYMENT_INTENT"; payload: PaymentIntentPayload }
  | { type: "OPEN_URL" | "REDIRECT_PAYMENT"; payload: OpenUrlPayload }
  | { type: "RESIZE"; payload: ResizePayload }
  | { type: "NAVIGATION_NO_BACK"; payload: NavigationNoBackPayload };

/** Messages from the host page to the iframe: two types. */
export type HostMessage =
  | { type: "REDIRECT_CONFIG"; payload: RedirectConfiguration; origin: "react" }
  | { type: "STRIPE_PAYMENT_COMPLETE"; payload: { context: PaymentContext }; origin: "react" };

/**
 * The events that `onEvent` receives. RESIZE and NAVIGATION_NO_BACK are messages of the iframe (W6); the widget itself raises the others, and
 * they are never on the wire.
 */
export type WidgetEvent =
  | { type: "RESIZE"; payload: ResizePayload }
  | { type: "NAVIGATION_NO_BACK"; payload: NavigationNoBackPayload }
  /** The frame's page has sent its first valid message. Raised again for each new frame. */
  | { type: "READY"; payload: Record<string, never> }
  /** The widget, its frame or its card form did not load. */
  | { type: "LOAD_ERROR"; payload: LoadProblem }
  | { type: "MODAL_OPENED"; payload: Record<string, never> }
  | { type: "MODAL_CLOSED"; payload: Record<string, never> }
  /** The provider accepted the payment in this browser. Not proof: only the signed webhook to your server is. */
  | { type: "PAYMENT_COMPLETE"; payload: { context: PaymentContext } }
  | { type: "PAYMENT_ERROR"; payload: PaymentProblem }
  /** The frame has sent no message within fifteen seconds. With a LOAD_ERROR "frame_timeout", unless "frame_silent" came before. */
  | { type: "WIDGET_LOAD_TIMEOUT"; payload: Record<string, never> }
  /** A widget with `loading="lazy"` has come near the view and has no token yet: mint one now. */
  | { type: "TOKEN_NEEDED"; payload: Record<string, never> }
  | { type: "OPEN_URL_BLOCKED"; payload: { url: string } };

export type LoadProblem = {
  reason: LoadErrorReason;
  /** One sentence for the developer. */
  message: string;
};

/**
 * - `set_up`: a property is wrong or missing; `message` says what to write.
 * - `frame_silent`: the frame has loaded a page, which has sent no message within five seconds: an error page, or a page of another site.
 * - `frame_timeout`: the frame has sent no message within fifteen seconds. Not after `frame_silent`.
 * - `card_form_timeout`: the card form was not ready within fifteen seconds.
 * - `card_form`: the card form did not load.
 * - `spent` to `error`: what the frame's page itself reports (docs/widget.md, "Messages").
 * - any other: what a newer page reports.
 */
export type LoadErrorReason =
  | "set_up"
  | "frame_silent"
  | "frame_timeout"
  | "card_form_timeout"
  | "card_form"
  | "spent"
  | "expired"
  | "token"
  | "withdrawn"
  | "session-ended"
  | "no-cookies"
  | "path"
  | "not-found"
  | "not-framed"
  | "error"
  | (string & {});

/**
 * `code` is the card provider's own, or one of ours: provider_not_loaded, provider_error, amount_not_confirmed (the provider's amount is another
 * or below a penny), not_payable (the payment was cancelled). `declineCode` is why the payer's bank declined, in the card provider's words, such as
 * insufficient_funds; only where the provider says it.
 */
export type PaymentProblem = {
  message: string;
  code: "provider_not_loaded" | "provider_error" | "amount_not_confirmed" | "not_payable" | (string & {});
  declineCode?: string;
};
