import type { EnvironmentName } from "./environments.ts";
import type { RedirectConfiguration, WidgetEvent } from "./messages.ts";
import { mountWidget, type Widget } from "./mount-widget.ts";
import type { WidgetProperties } from "./widget-properties.ts";

/** On a server there is no HTMLElement: the class can be imported there, and is never made. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/** The element's own properties; style and className are every HTML element's. */
const PROPERTIES = ["token", "environment", "path", "redirect", "showPaymentErrors", "onEvent"] as const;

/**
 * `<farthing-widget token environment path redirect show-payment-errors>` (W1), `redirect` as JSON. What is set in script is never
 * reflected: a token set there stays out of the document. Each event is also dispatched as a `farthing-event`, the event itself in
 * `detail`. The frame appears once there are a token and an environment.
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
    // What a page set before this class was defined sits on the instance, in front of the accessors.
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

  /** Several changes in one go make one update. */
  #schedule(): void {
    if (this.#updating) return;
    this.#updating = true;
    queueMicrotask(() => {
      this.#updating = false;
      if (this.isConnected && this.token && this.environment) this.#update();
    });
  }

  #update(): void {
    const properties = {
      ...this.#properties,
      onEvent: (event: WidgetEvent) => {
        this.onEvent?.(event);
        this.dispatchEvent(new CustomEvent("farthing-event", { detail: event }));
      },
    } as WidgetProperties;
    if (this.#widget) this.#widget.update(properties);
    else this.#widget = mountWidget(this, properties);
  }
}

/** Registers the element; a second call, or a second copy of the script, changes nothing. Does nothing on a server. */
export function defineFarthingWidget(): void {
  const registry = globalThis.customElements;
  if (registry && !registry.get("farthing-widget")) registry.define("farthing-widget", FarthingWidgetElement);
}

declare global {
  interface HTMLElementTagNameMap {
    "farthing-widget": FarthingWidgetElement;
  }
}
