import { type AriaAttributes, type CSSProperties, createElement, type ReactElement, useEffect, useRef } from "react";
import { mountWidget, type Widget } from "./mount-widget.ts";
import type { WidgetProperties } from "./widget-properties.ts";

export { defineEnvironments } from "./environments.ts";
export type { LoadErrorReason, WidgetEvent } from "./messages.ts";
export type { WidgetProperties } from "./widget-properties.ts";

export type FarthingWidgetProperties = WidgetProperties &
  AriaAttributes & {
    [data: `data-${string}`]: string | number | boolean | undefined;
    id?: string | undefined;
    role?: string | undefined;
    style?: CSSProperties | undefined;
    className?: string | undefined;
  };

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
  const attributes = Object.entries(properties).filter(([name]) => /^(id|role|(aria|data)-.*)$/.test(name));
  return createElement("div", { ref: host, style, className, ...Object.fromEntries(attributes) });
}
