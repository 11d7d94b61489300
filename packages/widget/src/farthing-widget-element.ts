import type { EnvironmentName } from "./environments.ts";
import type { RedirectConfiguration, WidgetEvent } from "./messages.ts";
import { mountWidget, type Widget } from "./mount-widget.ts";
import type { WidgetProperties } from "./widget-properties.ts";

/** A server has no HTMLElement. The module can be imported there, but the class is never instantiated. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/** The element's own properties. Every HTML element has style and className. */
const PROPERTIES = ["token", "environment", "path", "redirect", "showPaymentErrors", "onEvent"] as const;

/**
 * The custom element `<farthing-widget token environment path redirect show-payment-errors>` (W1); `redirect` is JSON. Properties set in
 * script are not reflected to attributes, which keeps a token out of the document. Each event is also dispatched as `farthing-event` with the
 * event in `detail`. The frame appears once token and environment are set.
 */
export class FarthingWidgetElement extends Base {
  static readonly observedAttributes = ["token", "environment", "path", "redirect", "show-payment-errors"];

  declare token: string;
  declare environment: EnvironmentName;
  declare path: string | undefined;
  declare redirect: RedirectConfiguration | undefined;
  declare onEvent: ((event: WidgetEvent) => void) | undefined;
  declare showPaymentErrors: boolean | undefined;

  #properties: Partial<WidgetProperties> = {};
  #widget: Widget | undefined;
  #updating = false;

  static {
    for (const name of PROPERTIES) {
      Object.defineProperty(this.prototype, name, {
        get(this: FarthingWidgetElement) {
          return this.#properties[name];
        },
        set(this: FarthingWidgetElement, value: never) {
          this.#properties[name] = value;
          this.#schedule();
        },
      });
    }
  }

  connectedCallback(): void {
    // Properties that a page set before this class was defined are on the instance and hide the accessors.
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      Object.assign(this, { [name]: value });
    }
    if (getComputedStyle(this).display === "inline") this.style.display = "block"; // unless the page says otherwise
    this.#schedule();
  }

  disconnectedCallback(): void {
    this.#widget?.destroy();
    this.#widget = undefined;
  }

  attributeChangedCallback(name: string, _before: string | null, value: string | null): void {
    if (name === "redirect") this.redirect = (JSON.parse(value ?? "null") as RedirectConfiguration | null) ?? undefined;
    else if (name === "show-payment-errors") this.showPaymentErrors = value !== null;
    else this[name as "token" | "path"] = value ?? "";
  }

  /** Combines several synchronous changes into one update. */
  #schedule(): void {
    if (this.#updating) return;
    this.#updating = true;
    queueMicrotask(() => {
      this.#updating = false;
      if (this.isConnected && this.token && this.environment) this.#update();
    });
  }

  #dispatch(name: string, detail: WidgetEvent, fields = {}): void {
    const event = new CustomEvent(name, { detail });
    this.dispatchEvent(Object.defineProperties(event, Object.getOwnPropertyDescriptors(fields)));
  }

  #update(): void {
    const properties = {
      ...this.#properties,
      onEvent: (event: WidgetEvent) => {
        this.onEvent?.(event);
        this.#dispatch("farthing-event", event);
        // `onEvent` in a template is a listener of "event" in Vue, and of "Event" in React 19 and Svelte. It reads the widget's event from its
        // argument, as the property does: these two have its fields.
        this.#dispatch("event", event, event);
        this.#dispatch("Event", event, event);
      },
    } as WidgetProperties;
    if (this.#widget) this.#widget.update(properties);
    else this.#widget = mountWidget(this, properties);
  }
}

/** Registers the element, once per page. Does nothing on a server. */
export function defineFarthingWidget(): void {
  const registry = globalThis.customElements;
  if (registry && !registry.get("farthing-widget")) registry.define("farthing-widget", FarthingWidgetElement);
}
