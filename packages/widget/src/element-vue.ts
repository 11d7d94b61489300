/** Registers the element, as `@farthing/widget/element` does, and declares it in Vue's templates. */
import type { HTMLAttributes, PublicProps } from "vue";
import { defineFarthingWidget, type FarthingWidgetElement } from "./farthing-widget-element.ts";
import type { FarthingEvent, FarthingWidgetAttributes } from "./element-types.ts";

export { defineEnvironments } from "./environments.ts";
export { FarthingWidgetElement } from "./farthing-widget-element.ts";
export type { FarthingEvent, FarthingWidgetAttributes } from "./element-types.ts";
export type * from "./types.ts";

/** The element as a component of a template. Only its types exist. */
export type FarthingWidgetInVue = new () => FarthingWidgetElement & {
  /** @deprecated exists only in types */
  $props: HTMLAttributes &
    PublicProps &
    FarthingWidgetAttributes & { onFarthingEvent?: (event: FarthingEvent) => void };
  /** @deprecated exists only in types */
  $emit: (name: "farthing-event", event: FarthingEvent) => void;
};

declare module "vue" {
  interface GlobalComponents {
    "farthing-widget": FarthingWidgetInVue;
    FarthingWidget: FarthingWidgetInVue;
  }
}

defineFarthingWidget();
