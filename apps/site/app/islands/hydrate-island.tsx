import { type ComponentType, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { InIsland, KEPT_CHILDREN } from "./island.tsx";
import { readProps } from "./island-props.ts";

/** Lets React take over the HTML of an island, with the props that the server wrote beside it. */
export function hydrateIsland(element: HTMLElement, View: ComponentType<Record<string, unknown>>): void {
  const props = readProps(element.dataset["props"] ?? "{}");
  const hasChildren = element.querySelector("site-slot") !== null;
  hydrateRoot(
    element,
    <StrictMode>
      <InIsland>
        <View {...props} {...(hasChildren ? { children: KEPT_CHILDREN } : {})} />
      </InIsland>
    </StrictMode>,
  );
}
