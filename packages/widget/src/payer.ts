import type { CardProblem } from "./card-provider.ts";
import type { Environment } from "./environments.ts";
import type { LoadScript } from "./load-script.ts";
import type { PaymentProblem, WidgetEvent } from "./messages.ts";
import type { WidgetProperties } from "./widget-properties.ts";

/** What the code that takes payments needs of the widget. */
export type Payer = {
  /** Read each time, because the partner can change properties while the modal is open. */
  properties: () => WidgetProperties;
  environment: () => Environment;
  loadScript: LoadScript;
  /** Raises an event. Once the widget is destroyed, its host hears only what is `late`. */
  emit: (event: WidgetEvent, late?: boolean) => void;
};

/** Logs a problem of a payment as a warning, and returns what PAYMENT_ERROR says of it. `otherwise` is the code of one that has none. */
export function toProblem(
  otherwise: string,
  { message, code = otherwise, decline_code: declineCode }: CardProblem,
): PaymentProblem {
  console.warn(message);
  return { message, code, ...(declineCode && { declineCode }) };
}
