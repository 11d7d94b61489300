import type { FarthingWidgetElement } from "./farthing-widget-element.ts";
import type { WidgetEvent } from "./messages.ts";
import type { WidgetProperties } from "./widget-properties.ts";

/** What `<farthing-widget>` takes in JSX and in templates: the properties, and the attributes, of which two are JSON. */
export type FarthingWidgetAttributes = Partial<Omit<WidgetProperties, "redirect" | "appearance">> & {
  redirect?: WidgetProperties["redirect"] | string;
  appearance?: WidgetProperties["appearance"] | string;
  "show-payment-errors"?: boolean | "" | undefined;
  "auto-height"?: boolean | "" | undefined;
  "frame-title"?: string | undefined;
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
