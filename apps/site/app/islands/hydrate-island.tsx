import { type ComponentType, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { InIsland, KEPT_CHILDREN } from "./island.tsx";

/** Lets React take over the HTML of an island. */
export function hydrateIsland(
  element: HTMLElement,
  View: ComponentType<Record<string, unknown>>,
  props: Record<string, unknown>,
): void {
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
