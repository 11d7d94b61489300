import { defineFarthingWidget } from "./farthing-widget-element.ts";

export { defineEnvironments } from "./environments.ts";
export { FarthingWidgetElement } from "./farthing-widget-element.ts";
export type { LoadErrorReason, WidgetEvent } from "./messages.ts";
export type { WidgetProperties } from "./widget-properties.ts";

defineFarthingWidget();
