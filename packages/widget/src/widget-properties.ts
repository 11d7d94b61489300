import type { EnvironmentName } from "./environments.ts";
import type { RedirectConfiguration, WidgetEvent } from "./messages.ts";

/** The widget's properties (W1), but for style and className: those belong to the host element and are each entry's business. */
export type WidgetProperties = {
  /** From your server, for one load of the widget: single use and short-lived. Nothing is shown while it is empty. */
  token: string;
  environment: EnvironmentName;
  /** The page of the service to show; "/" when left out. */
  path?: string | undefined;
  redirect?: RedirectConfiguration | undefined;
  onEvent?: ((event: WidgetEvent) => void) | undefined;
  /** Opt in: the modal also shows the card provider's refusals (W8). */
  showPaymentErrors?: boolean | undefined;
};
