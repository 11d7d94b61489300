import { type ComponentType, createContext, createElement, type ReactNode, use } from "react";
import { islandChunks } from "./island-chunks.ts";
import { type IslandData, writeProps } from "./island-props.ts";

export type IslandName = keyof typeof islandChunks;

/** When an island's script is loaded: after the first paint, or once the island is on the screen. */
export type IslandWake = "painted" | "seen";

/** A component of a page that React takes over in the browser. Everything around it stays plain HTML. */
export interface Island<Props> {
  (props: Props): ReactNode;
  /** The component itself, which the browser hydrates. */
  View: ComponentType<Props>;
}

/** True inside an island: what is an island elsewhere is an ordinary component there. */
const InsideIsland = createContext(false);

/**
 * Makes an island of a component (docs/decisions/031-islands.md). The module is named `<name>.island.tsx`, exports the
 * island as its default, and has a number in island-chunks.ts.
 *
 * The server writes the component's HTML and, beside it, its props. Props are therefore plain data: no functions, and
 * nothing that the reader of the page must not see. `children` are the exception: they stay the server's HTML, so the
 * component has to render them once, from the start. Contexts of the page do not reach into an island in the browser.
 */
export function island<Props extends object>(
  name: IslandName,
  View: ComponentType<Props>,
  { wakes = "painted" }: { wakes?: IslandWake } = {},
): Island<Props & IslandData<Props>> {
  function IslandOnPage(props: Props) {
    // In the browser there is nothing but islands, so what writes them is not built into its script.
    if (!import.meta.env.SSR || use(InsideIsland)) return <View {...props} />;
    const { children, ...data } = props as Props & { children?: ReactNode };
    return createElement(
      "site-island",
      { name, "data-chunk": islandChunks[name], "data-wakes": wakes, "data-props": writeProps(data) },
      <InIsland>
        <View {...props} {...(children === undefined ? {} : { children: <Slot>{children}</Slot> })} />
      </InIsland>,
    );
  }
  return Object.assign(IslandOnPage, { View }) as unknown as Island<Props & IslandData<Props>>;
}

export function InIsland({ children }: { children: ReactNode }) {
  return <InsideIsland value>{children}</InsideIsland>;
}

/** The children of an island: HTML of the server, in which other islands may lie. */
function Slot({ children }: { children: ReactNode }) {
  return createElement("site-slot", null, <InsideIsland value={false}>{children}</InsideIsland>);
}

/** Stands for an island's children in the browser: hydration leaves the server's HTML as it is. */
export const KEPT_CHILDREN = createElement("site-slot", {
  suppressHydrationWarning: true,
  dangerouslySetInnerHTML: { __html: "" },
});
