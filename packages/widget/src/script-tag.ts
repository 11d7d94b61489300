import { defineEnvironments, type EnvironmentName } from "./environments.ts";
import type { Widget } from "./mount-widget.ts";
import { mistake, tellMistake } from "./set-up.ts";
import type { WidgetProperties } from "./widget-properties.ts";

/** `style`: declarations as in HTML, or an object as in React. */
export type ScriptProperties = WidgetProperties & { style?: string | Partial<CSSStyleDeclaration>; className?: string };
/** A widget whose `update` also takes style and className. */
type WidgetByScript<Properties> = Pick<Widget, "destroy"> & { update(properties: Properties): void };
/** Mounts into an element, or into the first match of a selector. What was mounted there before is destroyed. */
export type MountByScript<Properties> = (
  host: HTMLElement | string,
  properties: Properties,
) => WidgetByScript<Properties>;

const mounted = new WeakMap<HTMLElement, Widget>();

/** Returns `mount` as a page's script calls it: also with a selector, className and style, and once for each element. */
export function mountByScript(
  mount: (host: HTMLElement, properties: WidgetProperties) => Widget,
): MountByScript<ScriptProperties> {
  return (host, properties) => {
    const element = typeof host === "string" ? document.querySelector<HTMLElement>(host) : host;
    if (!element) {
      const error = mistake(`nothing matches ${String(host)}: mount after the element is in the page`);
      tellMistake(error, error.message, properties.onEvent);
      throw error;
    }
    const apply = ({ style, className, ...rest }: ScriptProperties): WidgetProperties => {
      if (className !== undefined) element.className = className;
      if (typeof style === "string") element.style.cssText += `;${style}`;
      else Object.assign(element.style, style);
      return rest;
    };
    mounted.get(element)?.destroy();
    const widget = mount(element, apply(properties));
    mounted.set(element, widget);
    return { ...widget, update: (next) => widget.update(apply(next)) };
  };
}

/** `<script data-environment data-base-url data-publishable-key data-card-script-url>` defines one environment, for self-hosted services. */
export function defineFromScriptTag(): void {
  const script = document.currentScript;
  if (!script) return;
  const { environment = "production", baseUrl, publishableKey, cardScriptUrl } = script.dataset;
  if (baseUrl && publishableKey) {
    defineEnvironments({
      [environment as EnvironmentName]: { baseUrl, publishableKey, ...(cardScriptUrl && { cardScriptUrl }) },
    });
  } else if (baseUrl || publishableKey) {
    console.error("farthing-widget: the script tag needs both data-base-url and data-publishable-key");
  }
}
