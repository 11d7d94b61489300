import { findEnvironment } from "./environments.ts";
import { frameAddress } from "./frame-address.ts";
import { isHttpUrl } from "./http-url.ts";
import type { WidgetEvent } from "./messages.ts";
import type { WidgetProperties } from "./widget-properties.ts";

/** The last sentence on the console for each host element: a page that renders again and again gets it once. */
const told = new WeakMap<object, string>();

/** Tells the developer of a mistake: one sentence on the console, and a LOAD_ERROR. */
export function tellMistake(host: object, message: string, onEvent: ((event: WidgetEvent) => void) | undefined): void {
  if (told.get(host) !== message) console.error(message);
  told.set(host, message);
  if (onEvent instanceof Function) {
    queueMicrotask(() => onEvent({ type: "LOAD_ERROR", payload: { reason: "set_up", message } }));
  }
}

/**
 * Returns the frame's address for these properties.
 * @throws TypeError that says what to write, after telling the developer the same, if a property is wrong
 */
export function checkSetUp(host: HTMLElement, properties: WidgetProperties): URL {
  try {
    return readAddress(properties);
  } catch (error) {
    tellMistake(host, (error as Error).message, properties.onEvent);
    throw error;
  }
}

function readAddress({ environment, path, token, redirect, onEvent }: WidgetProperties): URL {
  const { baseUrl } = findEnvironment(environment);
  if (token && typeof token !== "string") throw mistake("token must be the string from your server: await it first");
  if (onEvent && !(onEvent instanceof Function)) throw mistake("onEvent must be a function");
  if (redirect) {
    const { templateUrl, idPlaceholder } = redirect.paymentSuccess ?? {};
    if (!templateUrl || typeof idPlaceholder !== "string") {
      throw mistake(
        'redirect must be { paymentSuccess: { templateUrl: "https://shop.example/thanks/{id}", idPlaceholder: "{id}" } }',
      );
    }
    if (!isHttpUrl(templateUrl)) throw mistake("redirect's templateUrl needs http(s)");
  }
  return frameAddress(baseUrl, path ?? "/", token);
}

export const mistake = (text: string): TypeError => new TypeError(`farthing-widget: ${text}`);
