import { type AriaAttributes, type CSSProperties, createElement, type ReactElement, useEffect, useRef } from "react";
import { mountWidget, type Widget } from "./mount-widget.ts";
import type { WidgetProperties } from "./widget-properties.ts";

export { defineEnvironments } from "./environments.ts";
export type * from "./types.ts";

/** The widget's properties, and those of the box around the iframe. */
export type FarthingWidgetProperties = WidgetProperties &
  AriaAttributes & {
    style?: CSSProperties | undefined;
    className?: string | undefined;
    id?: string | undefined;
    role?: string | undefined;
    [data: `data-${string}`]: string | number | boolean | undefined;
  };

/** The names of the box's own attributes, besides style and className. */
const BOX = /^(id$|role$|aria-|data-)/;

/**
 * The payment widget as a React component (W1). The server renders an empty box, so the token is never in its HTML. A wrong property throws in
 * an effect, so error boundaries catch it.
 */
export function FarthingWidget({ style, className, ...properties }: FarthingWidgetProperties): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const widget = useRef<Widget>(null);
  useEffect(() => {
    widget.current = mountWidget(host.current!, properties);
    return () => widget.current!.destroy();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- mounts once; the effect below updates it
  }, []);
  useEffect(() => widget.current?.update(properties));
  const box = Object.fromEntries(Object.entries(properties).filter(([name]) => BOX.test(name)));
  return createElement("div", { ...box, ref: host, style, className });
}
