/** Registers the element, as `@farthing/widget/element` does, and declares it in the JSX of React 18 and 19. */
import type { DetailedHTMLProps, HTMLAttributes } from "react";
import { defineFarthingWidget, type FarthingWidgetElement } from "./farthing-widget-element.ts";
import type { FarthingEvent, FarthingWidgetAttributes } from "./element-types.ts";

export { defineEnvironments } from "./environments.ts";
export { FarthingWidgetElement } from "./farthing-widget-element.ts";
export type { FarthingEvent, FarthingWidgetAttributes } from "./element-types.ts";
export type * from "./types.ts";

/** What `<farthing-widget>` takes in JSX. React 18 sets attributes only and does not listen to its events: use the component there. */
export type FarthingWidgetInReact = DetailedHTMLProps<HTMLAttributes<FarthingWidgetElement>, FarthingWidgetElement> &
  FarthingWidgetAttributes & {
    /** React 18 takes `class` on custom elements; React 19 takes `className` too. */
    class?: string | undefined;
    /** React 19. */
    "onfarthing-event"?: ((event: FarthingEvent) => void) | undefined;
  };

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "farthing-widget": FarthingWidgetInReact;
    }
  }
}

defineFarthingWidget();
