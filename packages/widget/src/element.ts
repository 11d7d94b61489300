import { defineFarthingWidget } from "./farthing-widget-element.ts";

export { defineEnvironments } from "./environments.ts";
export { FarthingWidgetElement } from "./farthing-widget-element.ts";
export type { FarthingEvent, FarthingWidgetAttributes } from "./element-types.ts";
export type * from "./types.ts";

defineFarthingWidget();
