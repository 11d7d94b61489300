import { defineFarthingWidget } from "./farthing-widget-element.ts";

export { defineEnvironments } from "./environments.ts";
export { FarthingWidgetElement } from "./farthing-widget-element.ts";
export type { WidgetEvent } from "./messages.ts";

defineFarthingWidget();
