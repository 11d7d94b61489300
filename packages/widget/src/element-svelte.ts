/** Registers the element, as `@farthing/widget/element` does, and declares it in Svelte's templates. */
import type { HTMLAttributes } from "svelte/elements";
import { defineFarthingWidget, type FarthingWidgetElement } from "./farthing-widget-element.ts";
import type { FarthingEvent, FarthingWidgetAttributes } from "./element-types.ts";

export { defineEnvironments } from "./environments.ts";
export { FarthingWidgetElement } from "./farthing-widget-element.ts";
export type { FarthingEvent, FarthingWidgetAttributes } from "./element-types.ts";
export type * from "./types.ts";

/** What `<farthing-widget>` takes in a template. */
export type FarthingWidgetInSvelte = HTMLAttributes<FarthingWidgetElement> &
  FarthingWidgetAttributes & {
    /** Svelte 5. */
    "onfarthing-event"?: ((event: FarthingEvent) => void) | undefined;
    /** Svelte 4. */
    "on:farthing-event"?: ((event: FarthingEvent) => void) | undefined;
  };

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "farthing-widget": FarthingWidgetInSvelte;
  }
}

defineFarthingWidget();
