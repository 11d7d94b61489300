import { type AriaAttributes, type CSSProperties, createElement, type ReactElement, useEffect, useRef } from "react";
import type { Widget } from "./mount-widget.ts";
import type { WidgetProperties } from "./widget-properties.ts";

/** The box around the iframe: its attributes, besides what the widget itself takes. */
export type BoxProperties = AriaAttributes & {
  style?: CSSProperties | undefined;
  className?: string | undefined;
  id?: string | undefined;
  role?: string | undefined;
  [data: `data-${string}`]: string | number | boolean | undefined;
};

/** The names of the box's own attributes, besides style and className. */
const BOX = /^(id$|role$|aria-|data-)/;

/** Returns an empty box into which `mount` mounts once React has rendered it. Every later rendering updates what is mounted. */
export function useWidget<Properties extends WidgetProperties>(
  mount: (host: HTMLElement, properties: WidgetProperties) => Widget,
  { style, className, ...properties }: Properties & BoxProperties,
): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const widget = useRef<Widget>(null);
  useEffect(() => {
    widget.current = mount(host.current!, properties);
    return () => widget.current!.destroy();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- mounts once; the effect below updates it
  }, []);
  useEffect(() => widget.current?.update(properties));
  const box = Object.fromEntries(Object.entries(properties).filter(([name]) => BOX.test(name)));
  return createElement("div", { ...box, ref: host, style, className });
}
