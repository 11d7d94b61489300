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

/** The events that `onEvent` receives. The first two are messages of the iframe (W6); the widget itself raises the others. */
export type WidgetEvent =
  | { type: "RESIZE"; payload: ResizePayload }
  | { type: "NAVIGATION_NO_BACK"; payload: NavigationNoBackPayload }
  | { type: "PAYMENT_ERROR"; payload: PaymentProblem }
  | { type: "WIDGET_LOAD_TIMEOUT"; payload: Record<string, never> }
  | { type: "OPEN_URL_BLOCKED"; payload: { url: string } };

/** `code` is the card provider's own, or one of ours: provider_not_loaded, provider_error, amount_not_confirmed. */
export type PaymentProblem = { message: string; code: string };
