import { defineEnvironments, type EnvironmentName } from "./environments.ts";
import { defineFarthingWidget } from "./farthing-widget-element.ts";
import { mountWidget, type Widget } from "./mount-widget.ts";
import { mistake, tellMistake } from "./set-up.ts";
import type { WidgetProperties } from "./widget-properties.ts";
import { version } from "./version.ts";

export type { FarthingEvent } from "./element-types.ts";
export type { Widget } from "./mount-widget.ts";
export type * from "./types.ts";

export type ScriptProperties = WidgetProperties & { style?: Partial<CSSStyleDeclaration>; className?: string };
export type FarthingScript = {
  version: string;
  defineEnvironments: typeof defineEnvironments;
  /** Mounts the widget into an element, or into the first match of a selector. */
  mount(host: HTMLElement | string, properties: ScriptProperties): Widget;
};
declare global {
  interface Window {
    Farthing?: FarthingScript;
  }
}

function mount(host: HTMLElement | string, { style, className, ...properties }: ScriptProperties): Widget {
  const element = typeof host === "string" ? document.querySelector<HTMLElement>(host) : host;
  if (!element) {
    const error = mistake(`nothing matches ${String(host)}: mount after the element is in the page`);
    tellMistake(error, error.message, properties.onEvent);
    throw error;
  }
  if (className !== undefined) element.className = className;
  Object.assign(element.style, style);
  return mountWidget(element, properties);
}

/** `<script data-environment data-base-url data-publishable-key data-card-script-url>` defines one environment, for self-hosted services. */
function defineFromScriptTag({ dataset }: HTMLOrSVGElement): void {
  const { environment = "production", baseUrl, publishableKey, cardScriptUrl } = dataset;
  if (baseUrl && publishableKey) {
    defineEnvironments({
      [environment as EnvironmentName]: { baseUrl, publishableKey, ...(cardScriptUrl && { cardScriptUrl }) },
    });
  } else if (baseUrl || publishableKey) {
    console.error("farthing-widget: the script tag needs both data-base-url and data-publishable-key");
  }
}

// A second script tag has no effect: the first copy stays in use. An element with id="Farthing" is no copy.
if (!window.Farthing?.mount) {
  window.Farthing = { version, defineEnvironments, mount };
  if (document.currentScript) defineFromScriptTag(document.currentScript);
  defineFarthingWidget();
}
