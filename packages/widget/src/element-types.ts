import type { FarthingWidgetElement } from "./farthing-widget-element.ts";
import type { WidgetEvent } from "./messages.ts";
import type { WidgetProperties } from "./widget-properties.ts";

/** What `<farthing-widget>` takes in JSX and in templates: the properties, and `redirect` as an object or as JSON. */
export type FarthingWidgetAttributes = Partial<Omit<WidgetProperties, "redirect">> & {
  redirect?: WidgetProperties["redirect"] | string;
  /** The attribute of `showPaymentErrors`. */
  "show-payment-errors"?: boolean | "" | undefined;
};

/** The event that the element dispatches: the widget's event is in `detail`. */
export type FarthingEvent = CustomEvent<WidgetEvent>;

declare global {
  interface HTMLElementTagNameMap {
    "farthing-widget": FarthingWidgetElement;
  }
  interface HTMLElementEventMap {
    "farthing-event": FarthingEvent;
  }
}
