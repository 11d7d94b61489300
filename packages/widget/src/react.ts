import type { ReactElement } from "react";
import { mountWidget } from "./mount-widget.ts";
import { type BoxProperties, useWidget } from "./use-widget.ts";
import type { WidgetProperties } from "./widget-properties.ts";

export { defineEnvironments } from "./environments.ts";
export type * from "./types.ts";

/** The widget's properties, and those of the box around the iframe. */
export type FarthingWidgetProperties = WidgetProperties & BoxProperties;

/**
 * The payment widget as a React component (W1). The server renders an empty box, so the token is never in its HTML. A wrong property throws in
 * an effect, so error boundaries catch it.
 */
export function FarthingWidget(properties: FarthingWidgetProperties): ReactElement {
  return useWidget(mountWidget, properties);
}
