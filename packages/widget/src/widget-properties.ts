import type { EnvironmentName } from "./environments.ts";
import type { RedirectConfiguration, WidgetEvent } from "./messages.ts";

/** The widget's properties (W1), except style and className, which each entry applies to its host element. */
export type WidgetProperties = {
  /** A token from your server, valid for one load of the widget and a short time. While it is empty, nothing is shown. */
  token: string;
  environment: EnvironmentName;
  /** The page of the service to show. Default: "/". */
  path?: string | undefined;
  redirect?: RedirectConfiguration | undefined;
  onEvent?: ((event: WidgetEvent) => void) | undefined;
  /** Whether the modal also shows the card provider's error messages (W8). Default: false. */
  showPaymentErrors?: boolean | undefined;
};
