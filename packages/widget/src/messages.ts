/**
 * What crosses the window boundary, word for word as the specification has it (seed sections 3 and 7, W3, Z7).
 * Every message is a JSON string. The widget's own carry `origin: "react"`, which is a label and not a check.
 */

/** Where the card provider sends people back to: `idPlaceholder` inside `templateUrl` becomes the payment's context token. */
export type RedirectConfiguration = { paymentSuccess: { templateUrl: string; idPlaceholder: string } };

/** The service's own reference for a payment. Comes back untouched in STRIPE_PAYMENT_COMPLETE. */
export type PaymentContext = { token: string; [field: string]: unknown };

export type PaymentIntentPayload = {
  clientSecret: string;
  ephemeralKey: string;
  customerId: string;
  /** Pounds, not pence: the one place where the wire carries pounds. */
  paymentAmount: number;
  color?: string;
  context: PaymentContext;
};
export type OpenUrlPayload = { url: string; newTab?: boolean | null };
export type ResizePayload = { identifier?: string | null; height: number; width: number; [field: string]: unknown };
export type NavigationNoBackPayload = { url: string };

/** From the iframe to the page that holds it: five types, four shapes. */
export type FrameMessage =
  | { type: "STRIPE_PAYMENT_INTENT"; payload: PaymentIntentPayload }
  | { type: "OPEN_URL" | "REDIRECT_PAYMENT"; payload: OpenUrlPayload }
  | { type: "RESIZE"; payload: ResizePayload }
  | { type: "NAVIGATION_NO_BACK"; payload: NavigationNoBackPayload };

/** From the page to the iframe: two types. */
export type HostMessage =
  | { type: "REDIRECT_CONFIG"; payload: RedirectConfiguration; origin: "react" }
  | { type: "STRIPE_PAYMENT_COMPLETE"; payload: { context: PaymentContext }; origin: "react" };

/** What `onEvent` receives. The first two come off the wire (W6); the rest are extensions that never touch it. */
export type WidgetEvent =
  | { type: "RESIZE"; payload: ResizePayload }
  | { type: "NAVIGATION_NO_BACK"; payload: NavigationNoBackPayload }
  | { type: "PAYMENT_ERROR"; payload: PaymentProblem }
  | { type: "WIDGET_LOAD_TIMEOUT"; payload: Record<string, never> }
  | { type: "OPEN_URL_BLOCKED"; payload: { url: string } };

/** `code` is the card provider's own, or one of ours: provider_not_loaded, provider_error, amount_not_confirmed. */
export type PaymentProblem = { message: string; code: string };
