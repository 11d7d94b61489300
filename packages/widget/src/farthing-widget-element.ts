import { keepBlock } from "./layout.ts";
import type { WidgetEvent } from "./messages.ts";
import { mountWidget, type Widget } from "./mount-widget.ts";
import { tellMistake } from "./set-up.ts";
import type { WidgetProperties } from "./widget-properties.ts";

/** A server has no HTMLElement. The module can be imported there, but the class is never instantiated. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/** The element's attributes: names of properties, and how each is read. Every HTML element has style and className. */
const yes = (value: string | null) => value !== null;
const json = (value: string | null) => (value ? (JSON.parse(value) as unknown) : undefined);
const text = (value: string | null) => value ?? undefined;
const ATTRIBUTES: Record<string, (value: string | null) => unknown> = {
  token: text,
  environment: text,
  path: text,
  redirect: json,
  showPaymentErrors: yes,
  autoHeight: yes,
  loading: text,
  skeleton: yes,
  locale: text,
  frameTitle: text,
  appearance: json,
};
const PROPERTIES = [...Object.keys(ATTRIBUTES), "onEvent"];
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const camel = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** Members that are not public. A WeakMap or private fields would cost bytes in older targets. */
const STATE = Symbol();
/** What mounts into the element. The gift-card portal's element replaces it. */
export const MOUNT = Symbol();
type State = { properties: Partial<WidgetProperties>; widget?: Widget | undefined; updating?: boolean };

/**
 * The custom element `<farthing-widget token environment path redirect …>` (W1); `redirect` and `appearance` are JSON. Properties set in script
 * are not reflected to attributes, which keeps a token out of the document. Each event is also dispatched as `farthing-event` with the event in
 * `detail`. For frameworks that turn an `onEvent` property into a listener, it is dispatched as `event` (Vue) and `Event` (React, Svelte) too;
 * these have the fields of the widget's event themselves. The frame appears once token and environment are set.
 */
export class FarthingWidgetElement extends Base {
  static get observedAttributes(): string[] {
    return Object.keys(ATTRIBUTES).map(kebab);
  }

  // The properties are accessors of the prototype, defined below.
  declare token: WidgetProperties["token"];
  declare environment: WidgetProperties["environment"];
  declare path: WidgetProperties["path"];
  declare redirect: WidgetProperties["redirect"];
  declare onEvent: WidgetProperties["onEvent"];
  declare showPaymentErrors: WidgetProperties["showPaymentErrors"];
  declare autoHeight: WidgetProperties["autoHeight"];
  declare loading: WidgetProperties["loading"];
  declare skeleton: WidgetProperties["skeleton"];
  declare locale: WidgetProperties["locale"];
  declare frameTitle: WidgetProperties["frameTitle"];
  declare appearance: WidgetProperties["appearance"];
  declare [MOUNT]: typeof mountWidget;
  declare [STATE]: State;

  constructor() {
    super();
    this[STATE] = { properties: {} }; // a field would need a helper in older targets
  }

  connectedCallback(): void {
    // Properties that a page set before this class was defined are on the instance and hide the accessors.
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(this, name)) continue;
      const value = (this as Record<string, unknown>)[name];
      delete (this as Record<string, unknown>)[name];
      Object.assign(this, { [name]: value });
    }
    keepBlock(this);
    schedule(this);
  }

  disconnectedCallback(): void {
    this[STATE].widget?.destroy();
    this[STATE].widget = undefined;
  }

  attributeChangedCallback(attribute: string, _before: string | null, value: string | null): void {
    const name = camel(attribute);
    try {
      Object.assign(this, { [name]: ATTRIBUTES[name]!(value) });
    } catch {
      tell(this, `the attribute ${attribute} must be JSON: write ${attribute}='{"…": …}' with double quotes inside`);
    }
  }
}

FarthingWidgetElement.prototype[MOUNT] = mountWidget;

for (const name of PROPERTIES as (keyof WidgetProperties)[]) {
  Object.defineProperty(FarthingWidgetElement.prototype, name, {
    get(this: FarthingWidgetElement) {
      return this[STATE].properties[name];
    },
    set(this: FarthingWidgetElement, value: never) {
      this[STATE].properties[name] = value;
      schedule(this);
    },
  });
}

/** Combines several synchronous changes into one update. */
function schedule(element: FarthingWidgetElement): void {
  const state = element[STATE];
  if (state.updating) return;
  state.updating = true;
  queueMicrotask(() => {
    state.updating = false;
    const { token, loading } = element;
    if (element.isConnected && (state.widget || token || loading === "lazy")) update(element);
  });
}

function update(element: FarthingWidgetElement): void {
  const state = element[STATE];
  const properties = { ...state.properties, onEvent: (event) => raise(element, event) } as WidgetProperties;
  try {
    if (state.widget) state.widget.update(properties);
    else state.widget = element[MOUNT](element, properties);
  } catch {
    // The developer has been told, and nobody could catch it.
  }
}

function raise(element: FarthingWidgetElement, event: WidgetEvent): void {
  const { type, payload } = event;
  for (const name of ["farthing-event", "event", "Event"]) {
    const dispatched = new CustomEvent(name, { detail: event });
    if (name !== "farthing-event")
      Object.defineProperties(dispatched, { type: { value: type }, payload: { value: payload } });
    element.dispatchEvent(dispatched);
  }
  element.onEvent?.(event);
}

function tell(element: FarthingWidgetElement, message: string): void {
  tellMistake(element, `farthing-widget: ${message}`, (event) => raise(element, event));
}

/** Registers the element, once per page. Does nothing on a server. */
export function defineFarthingWidget(): void {
  const registry = globalThis.customElements;
  if (registry && !registry.get("farthing-widget")) registry.define("farthing-widget", FarthingWidgetElement);
}
