/** The types that partners' code names. Every entry exports them. */
export type { Environment, EnvironmentName, Environments } from "./environments.ts";
export type {
  LoadErrorReason,
  LoadProblem,
  NavigationNoBackPayload,
  PaymentContext,
  PaymentProblem,
  RedirectConfiguration,
  ResizePayload,
  WidgetEvent,
} from "./messages.ts";
export type { WidgetProperties } from "./widget-properties.ts";
